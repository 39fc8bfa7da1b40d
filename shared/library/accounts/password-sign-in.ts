import { inParallel } from '../../parallel.ts'
import type { CompanyId } from '../../vocabulary/ids.ts'
import { Conflict } from '../errors.ts'
import type { Reading, Writing } from '../library.ts'
import { type CompanyRecord, companyKey, setPasswordSignIn } from './companies.ts'
import { endTokens, isAdminOf, listUsers, type UserRecord } from './users.ts'

/** Users whose tokens are ended in parallel. */
const USERS_AT_ONCE = 8

/** The error of password operations on users who sign on at a provider. */
export const byProvider = () => new Conflict('They sign on at a provider, and have no password here.', 'by_provider')

/** Whether a user may sign in by password: each of their companies must allow it, except those that they administer. */
export async function maySignInByPassword({ table }: Reading, { companies }: Pick<UserRecord, 'companies'>): Promise<boolean> {
  const asked = companies.filter(({ admin }) => !admin).map(({ companyId }) => companyKey(companyId))
  const records = await table.getMany<CompanyRecord>(asked)
  return records.every(({ passwordSignIn = true }) => passwordSignIn)
}

/**
 * Lets the members of a company, except admins, sign in at its providers alone. Ends all their sessions, tokens and codes for a new
 * password. Idempotent.
 * @throws NotFound
 */
export async function forbidPasswordSignIn(library: Writing, companyId: CompanyId): Promise<void> {
  // First: a concurrent sign-in either reads this, or issues a token that ends below.
  await setPasswordSignIn(library, companyId, false)
  const members = (await listUsers(library, companyId)).filter((user) => !isAdminOf(user, companyId))
  await inParallel(members, USERS_AT_ONCE, ({ userId }) => endTokens(library, userId))
}

/**
 * Ends the sessions and tokens of a new ordinary member of a company whose members sign in at providers alone. Runs after the change: a
 * concurrent `forbidPasswordSignIn()` either finds the member, or is seen here.
 */
export async function endTokensOfMember(library: Writing, user: UserRecord): Promise<void> {
  if (!(await maySignInByPassword(library, user))) await endTokens(library, user.userId)
}
