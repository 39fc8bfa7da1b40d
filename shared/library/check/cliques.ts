import type { Key } from '../../backends/table/port.ts'
import { type CliqueRecord, cliqueKey } from '../accounts/clique.ts'
import { findCompany } from '../accounts/companies.ts'
import { findUser } from '../accounts/users.ts'
import { type CliqueRemoval, listingKey, removalKey } from '../cliques/clique.ts'
import { claimKey, type MembershipRecord, membershipKey } from '../cliques/members.ts'
import { loadTree } from '../tree/tree-store.ts'
import { isSwept } from './due.ts'
import type { Library } from './library.ts'
import { type Problem, problem } from './problem.ts'

/** Members of a deleted clique are freed of it within minutes: after a day something is stuck. */
const REMOVED_WITHIN_MS = 86_400_000

type Membership = Pick<MembershipRecord, 'cliqueId' | 'userId'>

/** What is wrong with a clique, but its members. */
export async function lookAtClique({ table }: Library, clique_id: number): Promise<Problem[]> {
  const clique = await table.get<CliqueRecord>(cliqueKey(clique_id))
  if (!clique) return []
  const { companyId: company_id, shares } = clique
  const [company, listed, tree] = await Promise.all([
    findCompany(table, company_id),
    table.get(listingKey(company_id, clique_id)),
    loadTree(table, company_id),
  ])
  if (!company) return [problem('clique_of_unknown_company', { company_id, clique_id })]
  const shared = Object.keys(shares).map(Number)
  const stored = new Set(tree.stored(new Set(shared)).map(({ folderId }) => folderId))
  return [
    ...(listed ? [] : [problem('clique_not_listed', { company_id, clique_id })]),
    ...shared
      .filter((folderId) => !stored.has(folderId))
      .map((folder_id) => problem('share_of_unknown_folder', { company_id, folder_id, clique_id })),
  ]
}

/** What is wrong with a clique's place in the list of a company. */
export async function lookAtListedClique({ table }: Library, company_id: number, clique_id: number): Promise<Problem[]> {
  if (!(await table.get(listingKey(company_id, clique_id)))) return []
  const clique = await table.get<CliqueRecord>(cliqueKey(clique_id))
  return clique?.companyId === company_id ? [] : [problem('listed_clique_missing', { company_id, clique_id })]
}

/** What is wrong with the record of a deleted clique whose members are to be freed of it. */
export async function lookAtCliqueRemoval({ table, clock }: Library, clique_id: number): Promise<Problem[]> {
  const removal = await table.get<Key & Partial<CliqueRemoval>>(removalKey(clique_id))
  if (!removal) return []
  const { companyId: company_id, deleted } = removal
  const ids = { ...(company_id !== undefined && { company_id }), clique_id }
  return [
    ...(deleted !== undefined && deleted < clock.now() - REMOVED_WITHIN_MS ? [problem('clique_not_removed', ids)] : []),
    ...(isSwept(removal, true) ? [] : [problem('clique_removal_not_swept', ids)]),
  ]
}

/** What is wrong with a membership, as the clique lists it. */
export async function lookAtMembership({ table }: Library, { cliqueId, userId }: Membership): Promise<Problem[]> {
  const membership = await table.get<MembershipRecord>(membershipKey(cliqueId, userId))
  if (!membership) return []
  const { membershipId: membership_id } = membership
  const ids = { user_id: userId, clique_id: cliqueId }
  const removal = await table.get(removalKey(cliqueId))
  const [clique, user, claim] = await Promise.all([
    table.get(cliqueKey(cliqueId)),
    findUser(table, userId),
    table.get<Key & Membership>(claimKey(membership_id)),
  ])
  return [
    ...(clique || removal ? [] : [problem('membership_of_unknown_clique', ids)]),
    ...(user?.cliques.includes(cliqueId) ? [] : [problem('membership_not_of_user', ids)]),
    ...(claim?.cliqueId === cliqueId && claim.userId === userId ? [] : [problem('membership_without_id', { ...ids, membership_id })]),
  ]
}

/** What is wrong with the claim of a membership's id. */
export async function lookAtMembershipClaim({ table }: Library, membership_id: number): Promise<Problem[]> {
  const claim = await table.get<Key & Membership>(claimKey(membership_id))
  if (!claim) return []
  const { cliqueId, userId } = claim
  const membership = await table.get<MembershipRecord>(membershipKey(cliqueId, userId))
  if (membership?.membershipId === membership_id) return []
  return [problem('membership_id_of_nothing', { user_id: userId, clique_id: cliqueId, membership_id })]
}
