import type { Key } from '../../backends/table/port.ts'
import type { CliqueId, ProviderId, UserId } from '../../vocabulary/ids.ts'
import type { AuthorizedReading, AuthorizedWriting } from '../access/access.ts'
import { type CliqueRecord, cliqueKey } from '../accounts/clique.ts'
import { findUser, isMemberOf, userChange } from '../accounts/users.ts'
import type { Actor } from '../actor.ts'
import { retryOnConflict } from '../concurrency/retry.ts'
import { Invalid, NotFound } from '../errors.ts'
import { withFreshId } from '../fresh-id.ts'
import type { Reading, Writing } from '../library.ts'
import { everyItem } from '../pages.ts'
import { cliqueRevision, findClique, managedClique } from './clique.ts'

/** Most cliques of one user: each is read with every request of theirs. */
export const MAX_CLIQUES_OF_USER = 200

/** The membership of a user in a clique. The user's record lists the clique too, because every request of the user reads that record. */
export type MembershipRecord = Key & {
  /** Unique over all memberships. */
  membershipId: number
  cliqueId: CliqueId
  userId: UserId
  /** The provider whose groups gave it. Absent if a person did. */
  provider?: ProviderId
  /** The actor who made the user a member. */
  by?: Actor
}

const MEMBER_PREFIX = 'USER#'
export const membershipKey = (cliqueId: CliqueId, userId: UserId): Key => ({ pk: `CLIQUE#${cliqueId}`, sk: `${MEMBER_PREFIX}${userId}` })
/** Key of the claim of a membership's id. */
export const claimKey = (membershipId: number): Key => ({ pk: `MEMBERSHIP#${membershipId}`, sk: 'MEMBERSHIP' })

/** The members of a clique, in no particular order. */
export function membersOf({ table }: Reading, cliqueId: CliqueId): AsyncGenerator<MembershipRecord> {
  return everyItem(table, { pk: `CLIQUE#${cliqueId}`, sk: { beginsWith: MEMBER_PREFIX }, consistent: true })
}

/** The memberships of a clique, by user id. @throws NotFound, Forbidden */
export async function listMembers(library: AuthorizedReading, cliqueId: CliqueId): Promise<MembershipRecord[]> {
  await managedClique(library, cliqueId)
  return (await Array.fromAsync(membersOf(library, cliqueId))).sort((a, b) => a.userId - b.userId)
}

/**
 * Makes a user of the clique's company a member; disabled users too. Members keep their membership.
 * @throws NotFound for the clique or for a user who doesn't belong to its company, Forbidden, Invalid for too many
 */
export async function addMember(library: AuthorizedWriting, cliqueId: CliqueId, userId: UserId): Promise<MembershipRecord> {
  await managedClique(library, cliqueId)
  return beginMembership(library, cliqueId, userId)
}

/**
 * As `addMember()`, without checking rights.
 * @param provider whose groups give it. Absent: a person gives it, and takes over a membership that a provider gave
 */
export async function beginMembership(
  library: Writing,
  cliqueId: CliqueId,
  userId: UserId,
  provider?: ProviderId,
): Promise<MembershipRecord> {
  const { table, by } = library
  return retryOnConflict(async () => {
    const clique = await findClique(library, cliqueId)
    const [user, known] = await Promise.all([findUser(library, userId), table.get<MembershipRecord>(membershipKey(cliqueId, userId))])
    if (!user || !isMemberOf(user, clique.companyId)) throw new NotFound('user')
    if (known && (known.provider === undefined || provider !== undefined)) return known
    if (known) {
      const { provider: _, ...byHand } = { ...known, by }
      await table.transact({ membership: { put: byHand }, clique: cliqueRevision(library, clique) })
      return byHand
    }
    const cliques = [...user.cliques, cliqueId]
    if (cliques.length > MAX_CLIQUES_OF_USER) {
      throw new Invalid({ path: '', message: `A user can be a member of at most ${MAX_CLIQUES_OF_USER} cliques.` })
    }
    return withFreshId(async (membershipId) => {
      const membership: MembershipRecord = {
        ...membershipKey(cliqueId, userId),
        membershipId,
        cliqueId,
        userId,
        ...(provider !== undefined && { provider }),
        by,
      }
      await table.transact({
        claim: { put: { ...claimKey(membershipId), cliqueId, userId }, if: { pk: { exists: false } } },
        membership: { put: membership },
        clique: cliqueRevision(library, clique),
        user: userChange(library, user, { cliques }),
      })
      return membership
    })
  })
}

/** @throws NotFound for the clique or for users who aren't members, Forbidden */
export async function removeMember(library: AuthorizedWriting, cliqueId: CliqueId, userId: UserId): Promise<void> {
  await managedClique(library, cliqueId)
  if (!(await endMembership(library, cliqueId, userId))) throw new NotFound('member')
}

/**
 * Ends a membership, in the user's record and in the clique's, which may be deleted already.
 * @param provider ends it only if this provider's groups gave it
 * @returns whether there was one
 */
export async function endMembership(library: Writing, cliqueId: CliqueId, userId: UserId, provider?: ProviderId): Promise<boolean> {
  const { table } = library
  return retryOnConflict(async () => {
    const membership = await table.get<MembershipRecord>(membershipKey(cliqueId, userId))
    if (!membership || (provider !== undefined && membership.provider !== provider)) return false
    const [clique, user] = await Promise.all([table.get<CliqueRecord>(cliqueKey(cliqueId)), findUser(library, userId)])
    const others = user?.cliques.filter((id) => id !== cliqueId) ?? []
    await table.transact({
      ...(clique && { clique: cliqueRevision(library, clique) }),
      membership: { delete: membershipKey(cliqueId, userId) },
      claim: { delete: claimKey(membership.membershipId) },
      ...(user && { user: userChange(library, user, { cliques: others }) }),
    })
    return true
  })
}
