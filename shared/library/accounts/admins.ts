import type { CompanyId, UserId } from '../../vocabulary/ids.ts'
import { Conflict, NotFound } from '../errors.ts'
import type { Writing } from '../library.ts'
import { retryOnConflict } from '../retry.ts'
import { isAdminOf, listUsers, type UserRecord, userChange, userKey } from './users.ts'

/**
 * Makes an admin of a company an ordinary member again. A company keeps at least one admin who can sign in, also when two are made ordinary
 * at the same time.
 * @throws NotFound for users who aren't members, Conflict for the last admin
 */
export async function revokeAdmin(library: Writing, userId: UserId, companyId: CompanyId): Promise<UserRecord> {
  return retryOnConflict(async () => {
    const members = await listUsers(library, companyId)
    const user = members.find((member) => member.userId === userId)
    if (!user) throw new NotFound('user')
    if (!isAdminOf(user, companyId)) return user
    const other = members.find((member) => member.userId !== userId && !member.disabled && isAdminOf(member, companyId))
    if (!other) throw new Conflict(`${user.username} is the last admin of company ${companyId}.`, 'last_admin')
    const companies = user.companies.map((membership) => (membership.companyId === companyId ? { companyId, admin: false } : membership))
    const otherUnchanged = { check: userKey(other.userId), if: { revision: { equals: other.revision } } }
    await library.table.transact({ user: userChange(library, user, { companies }), otherUnchanged })
    return { ...user, companies }
  })
}
