import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, test } from 'vitest'
import { ObjectsUnavailable } from '../../../shared/backends/objects/port.ts'
import { apiKeyKey, idKey, listingKey as keyListingKey, revokeKey } from '../../../shared/library/accounts/api-keys.ts'
import { cliqueKey } from '../../../shared/library/accounts/clique.ts'
import { companyKey, listingKey as companyListingKey } from '../../../shared/library/accounts/companies.ts'
import { userKey, listingKey as userListingKey, usernameKey } from '../../../shared/library/accounts/users.ts'
import { checkLibrary } from '../../../shared/library/check/check.ts'
import type { Problem } from '../../../shared/library/check/problem.ts'
import { listingKey as cliqueListingKey } from '../../../shared/library/cliques/clique.ts'
import { deleteClique } from '../../../shared/library/cliques/cliques.ts'
import { claimKey, membershipKey, removeMember } from '../../../shared/library/cliques/members.ts'
import { downloadKey } from '../../../shared/library/downloads/copy-record.ts'
import { prepareDownload } from '../../../shared/library/downloads/prepare.ts'
import { expireDownloads, removeDownloadsOf } from '../../../shared/library/downloads/remove.ts'
import { TRASH_DAYS } from '../../../shared/library/due.ts'
import { createFolder, deleteFolder } from '../../../shared/library/folders/folders.ts'
import { purgeFolder } from '../../../shared/library/folders/purge.ts'
import { askForImport } from '../../../shared/library/media/import-job.ts'
import { mediaKey, pointerKey } from '../../../shared/library/media/keys.ts'
import { objectKeys } from '../../../shared/library/media/media.ts'
import { trashMedia } from '../../../shared/library/media/place.ts'
import { withoutPointers } from '../../../shared/library/media/placement.ts'
import { changePointers } from '../../../shared/library/media/pointers.ts'
import { removeObjects } from '../../../shared/library/media/remove-objects.ts'
import { removeMemberships } from '../../../shared/library/removals/clique.ts'
import { trashFolder } from '../../../shared/library/trash/trash-folder.ts'
import { claimId, contentsOf, dueIn, folderClaimKey, folderKey } from '../../../shared/library/tree/folder.ts'
import { removalKey } from '../../../shared/library/tree/folder-changes.ts'
import { type AliasClaim, aliasKey } from '../../../shared/library/tree/system-folders.ts'
import { versionKey } from '../../../shared/library/tree/tree-log.ts'
import { usageKey } from '../../../shared/library/usage/usage.ts'
import { toCliqueId, toCompanyId, toContentsId, toFolderId, toKeyId, toMediaId, toUserId } from '../../../shared/vocabulary/ids.ts'
import { TestClock } from '../../support/library.ts'
import { pointerTo } from '../../support/media.ts'
import { runRemovals } from '../../support/removals.ts'
import { writer } from '../downloads/set-up.ts'
import { type HealthyLibrary, healthyLibrary, openTestStores } from './healthy-library.ts'

const NOWHERE = 99
const HOUR = 3_600
const DAY = 24 * HOUR

interface Case {
  /** What was done by hand, and what the check must say of it. */
  damage(library: HealthyLibrary): Promise<unknown>
  found(library: HealthyLibrary): Omit<Problem, 'message'>[]
}

const fileIds = ({ companyId, file }: HealthyLibrary) => ({ company_id: companyId, media_id: file.mediaId })
const folderIds = ({ companyId, folder }: HealthyLibrary) => ({ company_id: companyId, folder_id: folder.folderId })
const describedIds = ({ companyId, described }: HealthyLibrary) => ({ company_id: companyId, media_id: described.mediaId })
const aliasIds = ({ companyId, press }: HealthyLibrary) => ({ company_id: companyId, folder_id: press.folderId, alias: 'press' })
const userIds = ({ companyId, userId }: HealthyLibrary) => ({ company_id: companyId, user_id: userId })
const cliqueIds = ({ companyId, cliqueId }: HealthyLibrary) => ({ company_id: companyId, clique_id: cliqueId })
const memberIds = ({ userId, cliqueId }: HealthyLibrary) => ({ user_id: userId, clique_id: cliqueId })
const keyIds = ({ companyId, key }: HealthyLibrary) => ({ company_id: companyId, key_id: key.keyId })
/** One object of a version that was replaced, and one as earlier versions of the service stored it. */
const formerPictures = (userId: number) => [`profiles/${userId}`, `profiles/${userId}.${'0'.repeat(36)}.small`]
const prefixOf = ({ file }: HealthyLibrary) => objectKeys.prefix(file)

/** Takes a file's record away, and what is counted of it. */
async function dropFile({ table, file }: HealthyLibrary): Promise<void> {
  await table.delete(mediaKey(file.mediaId))
  await table.delete(usageKey(file))
}

const cases: Record<string, Case> = {
  'a pointer without its file': {
    async damage(library) {
      await dropFile(library)
      await library.media.delete([objectKeys.original(library.file), objectKeys.tags(library.file), `${prefixOf(library)}renditions/1x1`])
    },
    found: (library) =>
      [library.folder, library.other].map(({ folderId }) => ({
        problem: 'pointer_without_file',
        ...fileIds(library),
        folder_id: folderId,
      })),
  },
  'a pointer that its file does not name': {
    damage: ({ table, file, below }) => table.put(pointerTo(file, contentsOf(below))),
    found: (library) => [{ problem: 'pointer_not_in_file', ...fileIds(library), folder_id: library.below.folderId }],
  },
  'a file without one of its pointers': {
    damage: ({ table, file, folder }) => table.delete(pointerKey(file.mediaId, contentsOf(folder))),
    found: (library) => [{ problem: 'pointer_missing', ...fileIds(library), folder_id: library.folder.folderId }],
  },
  'a read-only pointer that is not there': {
    damage: ({ file, change, below, other }) => change(mediaKey(file.mediaId), { readOnlyIn: [other.folderId, below.folderId] }),
    found: (library) => [{ problem: 'read_only_without_pointer', ...fileIds(library), folder_id: library.below.folderId }],
  },
  'a pointer that removal would not find': {
    damage: ({ table, file, folder }) => table.update(pointerKey(file.mediaId, contentsOf(folder)), { remove: ['folderKey'] }),
    found: (library) => [{ problem: 'pointer_not_indexed', ...fileIds(library), folder_id: library.folder.folderId }],
  },
  'a pointer into a folder that is not stored': {
    async damage({ table, file, folder, change }) {
      await table.put(pointerTo(file, toContentsId(NOWHERE)))
      await change(mediaKey(file.mediaId), { folders: [folder.folderId, NOWHERE], readOnlyIn: [] })
      await table.delete(pointerKey(file.mediaId, file.folders[1]!))
    },
    found: (library) => [{ problem: 'pointer_into_unknown_folder', ...fileIds(library), folder_id: NOWHERE }],
  },
  'a file that is due to be deleted and not in a trashcan': {
    damage: ({ change, file, folder }) => change(pointerKey(file.mediaId, contentsOf(folder)), dueIn({ system: 'trash' }, file.mediaId, 0)),
    found: (library) => [{ problem: 'pointer_due_wrong', ...fileIds(library), folder_id: library.folder.folderId }],
  },
  'a file in a trashcan that will never be deleted': {
    async damage(library) {
      const { table, file, acting } = library
      await trashMedia(acting(), file.mediaId, library.folder.folderId)
      await table.update(pointerKey(file.mediaId, contentsOf({ folderId: library.trashcan })), { remove: ['dueKey', 'dueAt'] })
    },
    found: (library) => [{ problem: 'pointer_due_wrong', ...fileIds(library), folder_id: library.trashcan }],
  },
  'a file and a folder in a trashcan that is not emptied': {
    async damage(library) {
      const { file, acting, below, clock } = library
      await trashMedia(acting(), file.mediaId, library.folder.folderId)
      await trashFolder(acting(), below.folderId)
      await expireDownloads({ ...library, clock: { now: () => clock.now() + 8 * DAY * 1000 } }, () => false)
      clock.advance((TRASH_DAYS + 1) * DAY + 1)
    },
    found: (library) => [
      { problem: 'folder_not_expired', company_id: library.companyId, folder_id: library.below.folderId },
      { problem: 'pointer_not_expired', ...fileIds(library), folder_id: library.trashcan },
    ],
  },
  'a folder that is due to be deleted and not in a trashcan': {
    damage: ({ change, companyId, folder }) =>
      change(folderKey(companyId, folder.folderId), dueIn({ system: 'trash' }, folder.folderId, 0)),
    found: (library) => [{ problem: 'folder_due_wrong', ...folderIds(library) }],
  },
  'a file in no folder': {
    async damage({ table, file, change }) {
      for (const contents of file.folders) await table.delete(pointerKey(file.mediaId, contents))
      await change(mediaKey(file.mediaId), { folders: [], readOnlyIn: [] })
    },
    found: (library) => [{ problem: 'file_without_folder', ...fileIds(library) }],
  },
  'a file that a removal left behind': {
    async damage({ acting, below, clock }) {
      await deleteFolder(acting(), below.folderId)
      clock.advance(HOUR + 1)
    },
    found: ({ companyId }) => [{ problem: 'file_not_removed', company_id: companyId, media_id: 12 }],
  },
  'a file that a purge left behind': {
    async damage({ acting, folder, clock }) {
      await purgeFolder(acting(), folder.folderId)
      clock.advance(HOUR + 1)
    },
    found: ({ companyId }) => [{ problem: 'file_not_removed', company_id: companyId, media_id: 12 }],
  },
  'an import that failed': {
    async damage(library) {
      const { change, file, table } = library
      await change(mediaKey(file.mediaId), { state: 'importing', delayed: true })
      await table.transact({ job: askForImport(library, file) })
    },
    found: (library) => [
      { problem: 'import_stuck', ...fileIds(library) },
      { problem: 'usage_wrong', ...userIds(library), object: usageAddress(library) },
    ],
  },
  'an import that does not end': {
    async damage(library) {
      const { change, file, clock, table } = library
      await change(mediaKey(file.mediaId), { state: 'importing' })
      await table.transact({ job: askForImport(library, file) })
      await table.delete(usageKey(file))
      clock.advance(DAY + 1)
    },
    found: (library) => [{ problem: 'import_stuck', ...fileIds(library) }],
  },
  'an import that has no job': {
    async damage({ change, table, file }) {
      await change(mediaKey(file.mediaId), { state: 'importing' })
      await table.delete(usageKey(file))
    },
    found: (library) => [{ problem: 'import_not_swept', ...fileIds(library) }],
  },
  'a picture that waits for keywords and has no job': {
    damage: ({ change, file, clock }) => change(mediaKey(file.mediaId), { suggestionsWanted: clock.now() }),
    found: (library) => [{ problem: 'suggestions_not_swept', ...fileIds(library) }],
  },
  'a file that search does not find': {
    async damage({ table, file }) {
      await table.update(mediaKey(file.mediaId), { remove: ['feedKey'] })
    },
    found: (library) => [{ problem: 'file_not_searchable', ...fileIds(library) }],
  },
  'a file without its original': {
    damage: ({ media, file }) => media.delete([objectKeys.original(file)]),
    found: (library) => [{ problem: 'object_missing', ...fileIds(library), object: `${prefixOf(library)}original` }],
  },
  'an original of another size': {
    damage: ({ media, file }) => media.put(objectKeys.original(file), Buffer.from('other'), { contentType: 'text/plain' }),
    found: (library) => [{ problem: 'original_size_wrong', ...fileIds(library) }],
  },
  'a file without any of its objects': {
    damage: (library) => {
      const keys = ['original', 'tags.json', 'renditions/1x1'].map((name) => prefixOf(library) + name)
      return library.media.delete(keys)
    },
    found: (library) =>
      ['original', 'tags.json', 'renditions/1x1'].map((name) => ({
        problem: 'object_missing',
        ...fileIds(library),
        object: prefixOf(library) + name,
      })),
  },
  'objects that their file does not need': {
    async damage({ media, file }) {
      for (const name of ['renditions/2x2', 'left']) {
        await media.put(objectKeys.prefix(file) + name, Buffer.from('x'), { contentType: 'text/plain' })
      }
    },
    found: (library) =>
      ['renditions/2x2', 'left'].map((name) => ({
        problem: 'object_unexpected',
        ...fileIds(library),
        object: prefixOf(library) + name,
      })),
  },
  'objects of a file that is not stored': {
    async damage(library) {
      await dropFile(library)
      for (const contents of library.file.folders) await library.table.delete(pointerKey(library.file.mediaId, contents))
    },
    found: (library) => [{ problem: 'objects_without_file', ...fileIds(library), object: prefixOf(library) }],
  },
  'objects under another company': {
    damage: ({ media, file }) => media.put(`${NOWHERE}/${file.mediaId}/original`, Buffer.from('x'), { contentType: 'text/plain' }),
    found: ({ file }) => [
      { problem: 'objects_without_file', company_id: NOWHERE, media_id: file.mediaId, object: `${NOWHERE}/${file.mediaId}/` },
    ],
  },
  'a prepared download that is not stored': {
    damage: ({ media, prepared }) => media.delete([prepared.key]),
    found: (library) => [{ problem: 'download_not_stored', ...describedIds(library), object: library.prepared.key }],
  },
  'a prepared download of another size': {
    damage: ({ media, prepared }) => media.put(prepared.key, Buffer.from('x'), { contentType: 'image/jpeg' }),
    found: (library) => [{ problem: 'download_not_stored', ...describedIds(library), object: library.prepared.key }],
  },
  'a prepared download of a file that is not stored': {
    async damage({ table, described }) {
      await table.delete(mediaKey(described.mediaId))
      await table.delete(usageKey(described))
      for (const contents of described.folders) await table.delete(pointerKey(described.mediaId, contents))
    },
    found: (library) => [
      { problem: 'download_without_file', ...describedIds(library) },
      { problem: 'objects_without_file', ...describedIds(library), object: objectKeys.prefix(library.described) },
    ],
  },
  'objects among prepared downloads that no record names': {
    async damage({ table, media, described }) {
      await table.delete(downloadKey(described.mediaId, 1, 'original'))
      await media.put(`${objectKeys.downloads(described)}stray`, Buffer.from('x'), { contentType: 'image/jpeg' })
    },
    found: ({ prepared, described }) =>
      [prepared.key, `${objectKeys.downloads(described)}stray`].map((object) => ({ problem: 'download_unrecorded', object })),
  },
  'a prepared download that would never be removed': {
    damage: ({ table, described }) => table.update(downloadKey(described.mediaId, 1, 'original'), { remove: ['dueKey'] }),
    found: (library) => [{ problem: 'download_due_wrong', ...describedIds(library) }],
  },
  'a prepared download that should have been removed': {
    damage: async ({ clock }) => clock.advance(8 * DAY + 1),
    found: (library) => [{ problem: 'download_not_expired', ...describedIds(library) }],
  },
  'the picture of a user that is not stored': {
    damage: ({ media }) => media.put(`profiles/${NOWHERE}`, Buffer.from('x'), { contentType: 'image/jpeg' }),
    found: () => [{ problem: 'profile_image_without_user', user_id: NOWHERE, object: `profiles/${NOWHERE}` }],
  },
  'a picture that its user no longer has': {
    async damage({ media, userId, clock }) {
      for (const key of formerPictures(userId)) await media.put(key, Buffer.from('x'), { contentType: 'image/jpeg' })
      clock.advance(HOUR + 1)
    },
    found: ({ userId }) => formerPictures(userId).map((object) => ({ problem: 'profile_image_unused', user_id: userId, object })),
  },
  'an object of no known kind': {
    damage: ({ media }) => media.put('stray', Buffer.from('x'), { contentType: 'text/plain' }),
    found: () => [{ problem: 'unknown_object', object: 'stray' }],
  },
  'a folder in one that is not stored': {
    damage: ({ change, companyId, other }) => change(folderKey(companyId, other.folderId), { parent: NOWHERE }),
    found: ({ companyId, other }) => [{ problem: 'folder_without_parent', company_id: companyId, folder_id: other.folderId }],
  },
  'folders that lie in each other': {
    damage: ({ change, companyId, folder, below }) => change(folderKey(companyId, folder.folderId), { parent: below.folderId }),
    found: ({ companyId, folder, below }) =>
      [folder, below].map(({ folderId }) => ({ problem: 'folder_in_cycle', company_id: companyId, folder_id: folderId })),
  },
  'a deleted folder that a removal left behind': {
    async damage(library) {
      const { acting, other, file, clock } = library
      await changePointers(library, file.mediaId, (placement) => withoutPointers(placement, new Set([contentsOf(other)])))
      await deleteFolder(acting(), other.folderId)
      clock.advance(DAY + 1)
    },
    found: ({ companyId, other }) => [{ problem: 'folder_not_removed', company_id: companyId, folder_id: other.folderId }],
  },
  'a deleted folder without a job': {
    async damage({ table, acting, other: { folderId } }) {
      await deleteFolder(acting(), folderId)
      await table.delete(removalKey({ folderId }))
    },
    found: ({ companyId, other }) => [{ problem: 'folder_removal_without_job', company_id: companyId, folder_id: other.folderId }],
  },
  'a folder whose id anybody could get': {
    damage: ({ table, folder }) => table.delete(folderClaimKey(folder.folderId)),
    found: (library) => [{ problem: 'folder_without_claim', ...folderIds(library) }],
  },
  'the id of a folder that is not stored': {
    damage: ({ table, companyId }) => table.put({ ...folderClaimKey(toFolderId(NOWHERE)), companyId }),
    found: ({ companyId }) => [{ problem: 'folder_claim_without_folder', company_id: companyId, folder_id: NOWHERE }],
  },
  'an alias that anybody could take': {
    damage: ({ table }) => table.delete(aliasKey('press')),
    found: (library) => [{ problem: 'alias_without_claim', ...aliasIds(library) }],
  },
  'an alias of a folder that does not have it': {
    damage: ({ table, companyId, folder }) =>
      table.put({ ...aliasKey('other'), alias: 'other', companyId, folderId: folder.folderId } satisfies AliasClaim),
    found: (library) => [{ problem: 'alias_without_folder', ...folderIds(library), alias: 'other' }],
  },
  'a file that was put into a CDN folder and has no link': {
    damage: async ({ addFile, press }) => addFile(14, [press.folderId]),
    found: (library) => [{ problem: 'file_not_linked', ...aliasIds(library), media_id: 14 }],
  },
  'an alias whose removal nobody finished': {
    async damage({ table, change, clock, companyId, press }) {
      await table.update(folderKey(companyId, press.folderId), { remove: ['alias', 'system'] })
      await change(aliasKey('press'), { removing: clock.now() })
      clock.advance(DAY + 1)
    },
    found: (library) => [{ problem: 'alias_not_removed', ...aliasIds(library) }],
  },
  'a log of changes that is ahead of the tree': {
    damage: ({ change, companyId }) => change(versionKey(companyId), { version: 1 }),
    found: ({ companyId }) => [{ problem: 'tree_version_wrong', company_id: companyId }],
  },
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
  'a user of a company that is not stored': {
    async damage({ change, table, companyId, userId }) {
      await change(userKey(userId), { companies: [companyId, NOWHERE].map((id) => ({ companyId: id, admin: false })) })
      await table.put({ ...userListingKey(toCompanyId(NOWHERE), userId), userId })
    },
    found: ({ userId }) => [{ problem: 'member_of_unknown_company', company_id: NOWHERE, user_id: userId }],
  },
  'a key that its company does not list': {
    damage: ({ table, companyId, key }) => table.delete(keyListingKey(companyId, key.keyId)),
    found: (library) => [{ problem: 'key_not_listed', ...keyIds(library) }],
  },
  'a listed key that is not stored': {
    damage: ({ table, key }) => table.delete(apiKeyKey(key.key)),
    found: (library) => [{ problem: 'listed_key_missing', ...keyIds(library) }],
  },
  'a key whose id anybody could get': {
    damage: ({ table, key }) => table.delete(idKey(key.keyId)),
    found: (library) => [{ problem: 'key_without_id', ...keyIds(library) }],
  },
  'a key of a company that is not stored': {
    damage: async ({ table, key }) => {
      const ids = { keyId: NOWHERE, key: 'stray' }
      await table.put({ ...key, ...apiKeyKey('stray'), ...ids, companyId: NOWHERE })
      await table.put({ ...idKey(toKeyId(NOWHERE)), ...ids })
      await table.put({ ...keyListingKey(toCompanyId(NOWHERE), toKeyId(NOWHERE)), ...ids })
    },
    found: () => [{ problem: 'key_of_unknown_company', company_id: NOWHERE, key_id: NOWHERE }],
  },
  'a clique that its company does not list': {
    damage: ({ table, companyId, cliqueId }) => table.delete(cliqueListingKey(companyId, cliqueId)),
    found: (library) => [{ problem: 'clique_not_listed', ...cliqueIds(library) }],
  },
  'a listed clique that is not stored': {
    damage: ({ table, companyId }) => table.put({ ...cliqueListingKey(companyId, toCliqueId(NOWHERE)), cliqueId: NOWHERE }),
    found: ({ companyId }) => [{ problem: 'listed_clique_missing', company_id: companyId, clique_id: NOWHERE }],
  },
  'a clique of a company that is not stored': {
    damage: ({ table, companyId, cliqueId, change }) =>
      Promise.all([change(cliqueKey(cliqueId), { companyId: NOWHERE }), table.delete(cliqueListingKey(companyId, cliqueId))]),
    found: (library) => [{ problem: 'clique_of_unknown_company', ...cliqueIds(library), company_id: NOWHERE }],
  },
  'a deleted clique whose members were never freed of it': {
    async damage({ acting, clock, cliqueId }) {
      await deleteClique(acting(), cliqueId)
      clock.advance(DAY + 1)
    },
    found: (library) => [{ problem: 'clique_not_removed', ...cliqueIds(library) }],
  },
  'a clique that an earlier version deleted without a job': {
    async damage({ table, acting, cliqueId }) {
      await deleteClique(acting(), cliqueId)
      await table.delete(removalKey({ cliqueId }))
      await table.put({ pk: cliqueKey(cliqueId).pk, sk: 'REMOVAL' })
    },
    found: ({ cliqueId }) => [{ problem: 'clique_removal_without_job', clique_id: cliqueId }],
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
  'a count of files that are not there': {
    damage: ({ table, companyId }) =>
      table.put({ pk: `COMPANY#${companyId}`, sk: `USAGE#${NOWHERE}#3`, companyId, userId: NOWHERE, bytes: 5, files: 1 }),
    found: ({ companyId }) => [
      { problem: 'usage_wrong', company_id: companyId, user_id: NOWHERE, object: `COMPANY#${companyId} USAGE#${NOWHERE}#3` },
    ],
  },
  'a record that nobody can read': {
    damage: ({ table, userId }) => table.update(userKey(userId), { remove: ['companies'] }),
    found: (library) => [
      { problem: 'unreadable_item', object: `COMPANY#${library.companyId} USER#${library.userId}` },
      { problem: 'unreadable_item', object: `USER#${library.userId} USER` },
    ],
  },
  'a file that nobody can read': {
    damage: ({ table, file }) => table.update(mediaKey(file.mediaId), { remove: ['folders', 'renditions'] }),
    found: ({ file }) => [{ problem: 'unreadable_item', object: `MEDIA#${file.mediaId}` }],
  },
  'folders and files of a company that is not stored': {
    damage: ({ table, companyId }) => Promise.all([table.delete(companyKey(companyId)), table.delete(companyListingKey(companyId))]),
    found: (library) => [
      { problem: 'clique_of_unknown_company', ...cliqueIds(library) },
      ...[11, 12, 13].map((mediaId) => ({
        problem: 'file_of_unknown_company' as const,
        company_id: library.companyId,
        media_id: mediaId,
      })),
      { problem: 'folders_of_unknown_company', company_id: library.companyId },
      { problem: 'key_of_unknown_company', ...keyIds(library) },
      ...library.users.map((userId) => ({ problem: 'member_of_unknown_company' as const, company_id: library.companyId, user_id: userId })),
    ],
  },
}

function usageAddress({ file }: HealthyLibrary): string {
  const { pk, sk } = usageKey(file)
  return `${pk} ${sk}`
}

async function open() {
  const clock = new TestClock()
  return { clock, library: await healthyLibrary(openTestStores(clock), clock) }
}

const inOrder = (problems: Omit<Problem, 'message'>[]) => problems.map((each) => JSON.stringify(each, Object.keys(each).sort())).sort()

describe('a check of a library', () => {
  test('finds nothing where nothing is wrong', async () => {
    const { library } = await open()
    assert.deepEqual(await library.check(), [])
  })

  test('finds nothing in folders and files that a job is about to remove, nor once it has', async () => {
    const { library } = await open()
    const { acting, folder, other, check } = library
    await purgeFolder(acting(), folder.folderId)
    await deleteFolder(acting(), other.folderId)
    assert.deepEqual(await check(), [])
    await runRemovals(library)
    assert.deepEqual(await check(), [])
  })

  test('finds objects of a deleted file only when they were not removed within an hour', async () => {
    const { library, clock } = await open()
    const { file, check } = library
    await changePointers(library, file.mediaId, () => new Map())
    assert.deepEqual(await check(), [])
    clock.advance(HOUR + 1)
    assert.deepEqual(await check(), [{ problem: 'objects_without_file', ...fileIds(library), object: prefixOf(library) }])
    await removeObjects(library, file)
    assert.deepEqual(await check(), [])
  })

  test('finds nothing in a download that is being made of a file that is removed meanwhile, unless it is never ended', async () => {
    const { library, clock } = await open()
    const { described, check } = library
    const [going, ending] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const exiftool = writer()
    exiftool.before = () => {
      going.resolve()
      return ending.promise
    }
    const again = { ...described, version: 2 }
    const making = prepareDownload({ ...library, exiftool }, again).catch(() => undefined)
    await going.promise
    assert.deepEqual(await check(), [])
    await changePointers(library, described.mediaId, () => new Map())
    await removeDownloadsOf(library, described.mediaId)
    await removeObjects(library, described)
    assert.deepEqual(await check(), [])
    clock.advance(2 * DAY)
    assert.deepEqual(
      (await check()).map(({ problem }) => problem),
      ['download_not_expired', 'download_without_file'],
    )
    await expireDownloads(library, () => false)
    assert.deepEqual(await check(), [])
    ending.resolve()
    await making
    assert.deepEqual(await check(), [])
  })

  test('finds nothing in members of a deleted clique that a job is about to take away, nor once it has', async () => {
    const { library } = await open()
    const { acting, cliqueId, check } = library
    await deleteClique(acting(), cliqueId)
    assert.deepEqual(await check(), [])
    await removeMemberships(library, cliqueId, () => false)
    assert.deepEqual(await check(), [])
  })

  test('finds nothing in a revoked key, an import under way and a clique that shares what lies in the trash', async () => {
    const { library } = await open()
    const { table, key, file, change, acting, folder, media, check } = library
    await revokeKey(library, key.key)
    await media.put(objectKeys.rendition(file, { width: 2, height: 2 }), Buffer.from('x'), { contentType: 'image/jpeg' })
    const now = library.clock.now()
    await change(mediaKey(file.mediaId), { state: 'importing', created: now })
    await table.transact({ job: askForImport(library, file) })
    await table.delete(usageKey(file))
    await trashFolder(acting(), folder.folderId)
    assert.deepEqual(await check(), [])
  })

  test('finds nothing in many files, and each one that lacks something among them', async () => {
    const { library } = await open()
    const { addFile, folder, companyId, media, check } = library
    for (let mediaId = 1_000; mediaId < 1_230; mediaId++) await addFile(mediaId, [folder.folderId])
    assert.deepEqual(await check(), [])
    const lost = [1_000, 1_099, 1_100, 1_199, 1_229]
    await media.delete(lost.map((mediaId) => objectKeys.tags({ companyId, mediaId: toMediaId(mediaId) })))
    const found = (await check()).map(({ problem, media_id }) => [problem, media_id])
    assert.deepEqual(
      found,
      lost.map((mediaId) => ['object_missing', mediaId]),
    )
  })

  test('believes what is committed, not what it read on its way', async () => {
    const { library } = await open()
    const { table, media, acting, file, other, addFile, cliqueId, userId, clock } = library
    const pages = [await library.scanner.scan({ limit: 1_000 })]
    await changePointers(library, file.mediaId, () => new Map())
    await removeObjects({ media }, file)
    const young = await createFolder(acting(), { name: 'Young', parent: other.folderId })
    await addFile(14, [young.folderId])
    await removeMember(acting(), cliqueId, userId)
    const scanner = { scan: async () => pages[0]! }
    assert.deepEqual(await checkLibrary({ table, scanner, media, clock }, { pauses: [] }), [])
  })

  test('does not report what is right again at the next check of a suspect', async () => {
    const { library } = await open()
    const { table, file, folder, check } = library
    const stored = await table.get(pointerKey(file.mediaId, contentsOf(folder)))
    await table.delete(stored!)
    const repaired = sleep(50).then(() => table.put(stored!))
    assert.deepEqual(await check([0, 500]), [])
    await repaired
  })

  test('reads originals with `deep`, and finds one with other bytes of the same size', async () => {
    const { library } = await open()
    const { media, file, check } = library
    assert.deepEqual(await check([0], true), [])
    await media.put(objectKeys.original(file), Buffer.alloc(file.bytes, '?'), { contentType: 'text/plain' })
    assert.deepEqual(await check(), [])
    assert.deepEqual(await check([0], true), [{ problem: 'original_md5_wrong', ...fileIds(library) }])
  })

  test('finds originals that cannot be read, or no further than to some byte, with `deep`', async () => {
    const { library } = await open()
    const { table, scanner, media, clock, file } = library
    const breaking = async (key: string) => {
      if (key !== objectKeys.original(file)) throw Object.assign(new Error('EIO: i/o error, open'), { code: 'EIO' })
      const { stream, ...told } = await media.get(key)
      stream.push('x')
      return { ...told, stream: stream.destroy(new Error('EIO: i/o error, read')) }
    }
    const reader = { head: media.head.bind(media), list: media.list.bind(media), get: breaking }
    const found = await checkLibrary({ table, scanner, media: reader, clock }, { pauses: [0], deep: true })
    const told = found.map(({ problem, media_id, message }) => [problem, media_id, message.slice(message.indexOf(':'))])
    assert.deepEqual(
      told.sort(([, one], [, other]) => Number(one) - Number(other)),
      [
        ['original_unreadable', 11, ': EIO: i/o error, read.'],
        ['original_unreadable', 12, ': EIO: i/o error, open.'],
        ['original_unreadable', 13, ': EIO: i/o error, open.'],
      ],
    )
  })

  test('an outage of the storage while originals are read is no problem of the library: the check fails', async () => {
    const { library } = await open()
    const { table, scanner, media, clock } = library
    const get = () => Promise.reject(new ObjectsUnavailable('storage is unavailable'))
    const reader = { head: media.head.bind(media), list: media.list.bind(media), get }
    await assert.rejects(checkLibrary({ table, scanner, media: reader, clock }, { pauses: [0], deep: true }), ObjectsUnavailable)
  })

  test('checks the table alone where there are no objects', async () => {
    const { library } = await open()
    const { table, scanner, clock, media, file } = library
    await media.delete([objectKeys.original(file)])
    assert.deepEqual(await checkLibrary({ table, scanner, clock }, { pauses: [] }), [])
  })

  test('ends when there are too many problems to list', async () => {
    const { library } = await open()
    const { table, companyId, check } = library
    for (let start = 1; start <= 10_100; start += 100) {
      const ids = Array.from({ length: 100 }, (_, n) => start + n)
      await table.transact(Object.fromEntries(ids.map((id) => [`claim ${id}`, claimId(companyId, toFolderId(id))])))
    }
    const problems = await check([])
    assert.equal(problems.length, 10_001)
    assert.deepEqual(problems.at(-1), { problem: 'too_many_problems' })
  })

  for (const [name, { damage, found }] of Object.entries(cases)) {
    test(`finds ${name}, and nothing else`, async () => {
      const { library } = await open()
      await damage(library)
      assert.deepEqual(inOrder(await library.check()), inOrder(found(library)))
    })
  }
})
