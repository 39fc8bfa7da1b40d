import { idKey } from '../../../shared/library/accounts/api-keys.ts'
import { cliqueKey } from '../../../shared/library/accounts/clique.ts'
import { companyKey, listingKey as companyListingKey } from '../../../shared/library/accounts/companies.ts'
import { userKey, listingKey as userListingKey, usernameKey } from '../../../shared/library/accounts/users.ts'
import { listingKey as cliqueListingKey } from '../../../shared/library/cliques/clique.ts'
import { deleteClique } from '../../../shared/library/cliques/cliques.ts'
import { claimKey, membershipKey } from '../../../shared/library/cliques/members.ts'
import { usageKey } from '../../../shared/library/usage/usage.ts'
import { toCompanyId, toUserId } from '../../../shared/vocabulary/ids.ts'
import { DAY, findsEach, NOWHERE, usageAddress, userIds } from './damage.ts'
import type { HealthyLibrary } from './healthy-library.ts'

const cliqueIds = ({ companyId, cliqueId }: HealthyLibrary) => ({ company_id: companyId, clique_id: cliqueId })
const memberIds = ({ userId, cliqueId }: HealthyLibrary) => ({ user_id: userId, clique_id: cliqueId })
const keyIds = ({ companyId, key }: HealthyLibrary) => ({ company_id: companyId, key_id: key.keyId })

findsEach({
  'a company that nobody lists': {
    damage: ({ table, companyId }) => table.delete(companyListingKey(companyId)),
    found: ({ companyId }) => [{ problem: 'company_not_listed', company_id: companyId }],
  },
  'a listed company that is not stored': {
    damage: ({ table }) => table.put({ ...companyListingKey(toCompanyId(NOWHERE)), companyId: NOWHERE }),
    found: () => [{ problem: 'listed_company_missing', company_id: NOWHERE }],
  },
  'a user whose name anybody could take': {
    damage: ({ table, username }) => table.delete(usernameKey(username)),
    found: ({ userId }) => [{ problem: 'username_unclaimed', user_id: userId }],
  },
  'the name of a user that is not stored': {
    damage: ({ table }) => table.put({ ...usernameKey('Nobody'), userId: NOWHERE }),
    found: () => [{ problem: 'username_of_nobody', user_id: NOWHERE, object: 'USERNAME#nobody' }],
  },
  'a user that their company does not list': {
    damage: ({ table, companyId, userId }) => table.delete(userListingKey(companyId, userId)),
    found: (library) => [{ problem: 'user_not_listed', ...userIds(library) }],
  },
  'a listed user that is not stored': {
    damage: ({ table, companyId }) => table.put({ ...userListingKey(companyId, toUserId(NOWHERE)), userId: NOWHERE }),
    found: ({ companyId }) => [{ problem: 'listed_user_not_member', company_id: companyId, user_id: NOWHERE }],
  },
  'a key whose id anybody could get': {
    damage: ({ table, key }) => table.delete(idKey(key.keyId)),
    found: (library) => [{ problem: 'key_without_id', ...keyIds(library) }],
  },
  'a deleted clique whose members were never freed of it': {
    async damage({ acting, clock, cliqueId }) {
      await deleteClique(acting(), cliqueId)
      clock.advance(DAY + 1)
    },
    found: (library) => [{ problem: 'clique_not_removed', ...cliqueIds(library) }],
  },
  'members of a clique that is not stored': {
    damage: ({ table, companyId, cliqueId }) =>
      Promise.all([table.delete(cliqueKey(cliqueId)), table.delete(cliqueListingKey(companyId, cliqueId))]),
    found: (library) => [{ problem: 'membership_of_unknown_clique', ...memberIds(library) }],
  },
  'a share of a folder that is not stored': {
    damage: ({ change, cliqueId, folder }) => change(cliqueKey(cliqueId), { shares: { [folder.folderId]: ['READ'], [NOWHERE]: ['READ'] } }),
    found: (library) => [{ problem: 'share_of_unknown_folder', ...cliqueIds(library), folder_id: NOWHERE }],
  },
  'a user who names a clique that does not list them': {
    damage: ({ table, cliqueId, userId, membership }) =>
      Promise.all([table.delete(membershipKey(cliqueId, userId)), table.delete(claimKey(membership.membershipId))]),
    found: (library) => [{ problem: 'membership_missing', ...memberIds(library) }],
  },
  'a member whose record does not name the clique': {
    damage: ({ change, userId }) => change(userKey(userId), { cliques: [] }),
    found: (library) => [{ problem: 'membership_not_of_user', ...memberIds(library) }],
  },
  'a membership whose id anybody could get': {
    damage: ({ table, membership }) => table.delete(claimKey(membership.membershipId)),
    found: (library) => [{ problem: 'membership_without_id', ...memberIds(library), membership_id: library.membership.membershipId }],
  },
  'the id of a membership that is not stored': {
    damage: ({ table, cliqueId, userId }) => table.put({ ...claimKey(NOWHERE), cliqueId, userId }),
    found: (library) => [{ problem: 'membership_id_of_nothing', ...memberIds(library), membership_id: NOWHERE }],
  },
  'a wrong count of bytes': {
    damage: ({ table, file }) => table.update(usageKey(file), { add: { bytes: 1 } }),
    found: (library) => [{ problem: 'usage_wrong', ...userIds(library), object: usageAddress(library) }],
  },
  'a record that nobody can read': {
    damage: ({ table, userId }) => table.update(userKey(userId), { remove: ['companies'] }),
    found: (library) => [
      { problem: 'unreadable_item', object: `COMPANY#${library.companyId} USER#${library.userId}` },
      { problem: 'unreadable_item', object: `USER#${library.userId} USER` },
    ],
  },
  'folders and files of a company that is not stored': {
    damage: ({ table, companyId }) => Promise.all([table.delete(companyKey(companyId)), table.delete(companyListingKey(companyId))]),
    found: (library) => [
      { problem: 'clique_of_unknown_company', ...cliqueIds(library) },
      ...[11, 12, 13, 15].map((mediaId) => ({
        problem: 'file_of_unknown_company' as const,
        company_id: library.companyId,
        media_id: mediaId,
      })),
      { problem: 'folders_of_unknown_company', company_id: library.companyId },
      { problem: 'key_of_unknown_company', ...keyIds(library) },
      ...library.users.map((userId) => ({ problem: 'member_of_unknown_company' as const, company_id: library.companyId, user_id: userId })),
    ],
  },
})
