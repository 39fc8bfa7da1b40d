import type { Operation, Operations } from '../../backends/table/port.ts'
import type { CompanyId, UserId } from '../../vocabulary/ids.ts'
import { retryOnConflict } from '../concurrency/retry.ts'
import { Conflict, NotFound } from '../errors.ts'
import type { Writing } from '../library.ts'
import { endTokensOfMember } from './password-sign-in.ts'
import { findUser, isAdminOf, isInvited, isMemberOf, listUsers, type UserRecord, userChange, userKey } from './users.ts'

/*
 * A company keeps at least one admin who can sign in, even when two lose that right at the same time: the write is conditional on the
 * remaining admin.
 */

/**
 * Makes an admin of a company an ordinary member again. Ends their sessions and tokens where members sign in at providers alone.
 * Idempotent.
 * @throws NotFound for users who aren't members, Conflict for the last admin
 */
export async function revokeAdmin(library: Writing, userId: UserId, companyId: CompanyId): Promise<UserRecord> {
  const member = await retryOnConflict(async () => {
    const user = await findUser(library, userId)
    if (!user || !isMemberOf(user, companyId)) throw new NotFound('user')
    if (!isAdminOf(user, companyId)) return user
    const others = await otherAdmins(library, user, [companyId])
    const companies = user.companies.map((membership) => (membership.companyId === companyId ? { companyId, admin: false } : membership))
    await library.table.transact({ user: userChange(library, user, { companies }), ...others })
    return { ...user, companies }
  })
  await endTokensOfMember(library, member)
  return member
}

/**
 * Disables a user: they can't sign in, and their tokens stay invalid even when they are enabled again.
 * @throws NotFound, Conflict for the last admin of a company
 */
export async function disableUser(library: Writing, userId: UserId): Promise<UserRecord> {
  return retryOnConflict(async () => {
    const user = await findUser(library, userId)
    if (!user) throw new NotFound('user')
    if (user.disabled) return user
    const administered = user.companies.filter(({ admin }) => admin).map(({ companyId }) => companyId)
    const others = await otherAdmins(library, user, administered)
    const set = { disabled: true, tokenEpoch: user.tokenEpoch + 1 }
    await library.table.transact({ user: userChange(library, user, set), ...others })
    return { ...user, ...set, revision: user.revision + 1 }
  })
}

/**
 * Conditions that each of these companies keeps another admin who can sign in, for the transaction that removes this one.
 * @throws Conflict `last_admin` for a company without another
 */
export async function otherAdmins(library: Writing, user: UserRecord, companyIds: readonly CompanyId[]): Promise<Operations> {
  const checks: Record<string, Operation> = {}
  for (const companyId of companyIds) {
    const isOther = (member: UserRecord) =>
      member.userId !== user.userId && !member.disabled && !isInvited(member) && isAdminOf(member, companyId)
    const other = (await listUsers(library, companyId)).find(isOther)
    if (!other) throw new Conflict(`${user.username} is the last admin of company ${companyId}.`, 'last_admin')
    checks[`other ${other.userId}`] = { check: userKey(other.userId), if: { revision: { equals: other.revision } } }
  }
  return checks
}
