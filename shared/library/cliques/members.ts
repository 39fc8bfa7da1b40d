import type { Key, Operations, Table, TableReader } from '../../backends/table/port.ts'
import type { Access } from '../access/access.ts'
import { findUser, isMemberOf, type UserRecord, userChange } from '../accounts/users.ts'
import { Invalid, NotFound } from '../errors.ts'
import { withFreshId } from '../ids.ts'
import { everyItem } from '../pages.ts'
import { retryOnConflict } from '../retry.ts'
import { cliqueRevision, findClique, managedClique } from './clique.ts'

/** Most cliques of one user: each is read with every request of theirs. */
export const MAX_CLIQUES_OF_USER = 200

/** That a user is in a clique. The user's record names the clique too: whoever authenticates a user has read it already. */
export type MembershipRecord = Key & {
  membershipId: number
  cliqueId: number
  userId: number
}

const MEMBER_PREFIX = 'USER#'
export const membershipKey = (cliqueId: number, userId: number): Key => ({ pk: `CLIQUE#${cliqueId}`, sk: `${MEMBER_PREFIX}${userId}` })
/** Claims the id of a membership. */
export const claimKey = (membershipId: number): Key => ({ pk: `MEMBERSHIP#${membershipId}`, sk: 'MEMBERSHIP' })

/** In no particular order. */
export function membersOf(table: TableReader, cliqueId: number): AsyncGenerator<MembershipRecord> {
  return everyItem(table, { pk: `CLIQUE#${cliqueId}`, sk: { beginsWith: MEMBER_PREFIX }, consistent: true })
}

/** The memberships of a clique, by user id. @throws NotFound, Forbidden */
export async function listMembers(table: TableReader, access: Access, cliqueId: number): Promise<MembershipRecord[]> {
  await managedClique(table, access, cliqueId)
  return (await Array.fromAsync(membersOf(table, cliqueId))).sort((a, b) => a.userId - b.userId)
}

/**
 * Makes a user of the clique's company a member, disabled ones too. Who is one already stays one, by the same membership.
 * @throws NotFound for the clique or for a user who doesn't belong to its company, Forbidden, Invalid for too many
 */
export async function addMember(table: Table, access: Access, cliqueId: number, userId: number): Promise<MembershipRecord> {
  await managedClique(table, access, cliqueId)
  return retryOnConflict(async () => {
    const clique = await findClique(table, cliqueId)
    const [user, known] = await Promise.all([findUser(table, userId), table.get<MembershipRecord>(membershipKey(cliqueId, userId))])
    if (!user || !isMemberOf(user, clique.companyId)) throw new NotFound('user')
    if (known) return known
    const cliques = [...user.cliques, cliqueId]
    if (cliques.length > MAX_CLIQUES_OF_USER) {
      throw new Invalid({ path: '', message: `A user can be a member of at most ${MAX_CLIQUES_OF_USER} cliques.` })
    }
    return withFreshId(async (membershipId) => {
      const membership: MembershipRecord = { ...membershipKey(cliqueId, userId), membershipId, cliqueId, userId }
      await table.transact({
        claim: { put: { ...claimKey(membershipId), cliqueId, userId }, if: { pk: { exists: false } } },
        membership: { put: membership },
        clique: cliqueRevision(clique),
        user: userChange(user, { cliques }),
      })
      return membership
    })
  })
}

/** @throws NotFound for the clique or for who is no member, Forbidden */
export async function removeMember(table: Table, access: Access, cliqueId: number, userId: number): Promise<void> {
  await managedClique(table, access, cliqueId)
  await retryOnConflict(async () => {
    const clique = await findClique(table, cliqueId)
    const [user, membership] = await Promise.all([findUser(table, userId), table.get<MembershipRecord>(membershipKey(cliqueId, userId))])
    if (!membership) throw new NotFound('member')
    await table.transact({ clique: cliqueRevision(clique), ...withdrawal(membership, user) })
  })
}

/** What ends a membership, on the user's side and on the clique's. @param user as read; fails when they have changed since */
export function withdrawal({ membershipId, cliqueId, userId }: MembershipRecord, user: UserRecord | undefined): Operations {
  const others = user?.cliques.filter((id) => id !== cliqueId) ?? []
  return {
    membership: { delete: membershipKey(cliqueId, userId) },
    claim: { delete: claimKey(membershipId) },
    ...(user && { user: userChange(user, { cliques: others }) }),
  }
}
