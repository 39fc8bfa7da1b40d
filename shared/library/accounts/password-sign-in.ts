import type { CompanyId } from '../../vocabulary/ids.ts'
import { inParallel } from '../concurrency/parallel.ts'
import type { Reading, Writing } from '../library.ts'
import { type CompanyRecord, companyKey, setPasswordSignIn } from './companies.ts'
import { endTokens, isAdminOf, listUsers, type UserRecord } from './users.ts'

/** Users whose tokens are ended at a time. */
const USERS_AT_ONCE = 8

/** Whether a user may sign in by password: no company forbids it of which they are a member without being an admin. */
export async function maySignInByPassword({ table }: Reading, { companies }: Pick<UserRecord, 'companies'>): Promise<boolean> {
  const asked = companies.filter(({ admin }) => !admin).map(({ companyId }) => companyKey(companyId))
  const records = await table.getMany<CompanyRecord>(asked)
  return records.every(({ passwordSignIn = true }) => passwordSignIn)
}

/**
 * Lets the members of a company sign in at its providers alone, but for its admins. All their sessions, tokens and codes for a new password are
 * over. May be repeated where it was interrupted.
 * @throws NotFound
 */
export async function forbidPasswordSignIn(library: Writing, companyId: CompanyId): Promise<void> {
  // First: a sign-in that is under way reads this, or issues what ends below.
  await setPasswordSignIn(library, companyId, false)
  const members = (await listUsers(library, companyId)).filter((user) => !isAdminOf(user, companyId))
  await inParallel(members, USERS_AT_ONCE, ({ userId }) => endTokens(library, userId))
}

/**
 * Ends the sessions and tokens of a user who has become an ordinary member of a company, where its members sign in at its providers alone. Comes
 * after the change: whoever forbids passwords meanwhile finds the member, or is seen here.
 */
export async function endTokensOfMember(library: Writing, user: UserRecord): Promise<void> {
  if (!(await maySignInByPassword(library, user))) await endTokens(library, user.userId)
}
