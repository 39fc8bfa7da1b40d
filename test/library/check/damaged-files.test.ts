import { systemClock } from '../../../shared/backends/clock/port.ts'
import { copyKey } from '../../../shared/library/downloads/copies.ts'
import { expireCopy, expiryJob, expirySubject } from '../../../shared/library/downloads/expiry.ts'
import { deleteFolder } from '../../../shared/library/folders/folders.ts'
import { jobIdOf, jobKey } from '../../../shared/library/jobs/job.ts'
import { askForImport } from '../../../shared/library/media/importing.ts'
import { mediaKey, pointerKey } from '../../../shared/library/media/keys.ts'
import { objectKeys } from '../../../shared/library/media/objects.ts'
import { trashMedia } from '../../../shared/library/media/place.ts'
import { trashFolder } from '../../../shared/library/trash/trash-folder.ts'
import { contentsOf } from '../../../shared/library/tree/folder.ts'
import { TRASH_DAYS, trashDue } from '../../../shared/library/tree/trash.ts'
import { usageKey } from '../../../shared/library/usage/usage.ts'
import { pointerTo } from '../../support/media.ts'
import { DAY, fileIds, findsEach, HOUR, NOWHERE, prefixOf } from './damage.ts'
import type { HealthyLibrary } from './healthy-library.ts'

const describedIds = ({ companyId, described }: HealthyLibrary) => ({ company_id: companyId, media_id: described.mediaId })
const copyOf = ({ described, prepared }: HealthyLibrary) =>
  ({ mediaId: described.mediaId, version: 1, variant: 'original', key: prepared.key }) as const
/** Takes the job away that removes the copy. */
const expiryOf = (library: HealthyLibrary) => ({
  delete: jobKey(jobIdOf({ kind: expiryJob.name, subject: expirySubject(copyOf(library)) })),
})
/** Objects of a version that was replaced. */
const formerLogo = (companyId: number) => `logos/${companyId}.${'0'.repeat(36)}.png`
const formerPicture = (userId: number) => `profiles/${userId}.${'0'.repeat(36)}.small`

/** Takes a file's record away, and what is counted of it. */
async function dropFile({ table, file }: HealthyLibrary): Promise<void> {
  await table.delete(mediaKey(file.mediaId))
  await table.delete(usageKey(file))
}

findsEach({
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
  'a file in a folder that does not exist': {
    damage: async ({ addFile }) => addFile(14, [NOWHERE]),
    found: ({ companyId }) => [{ problem: 'pointer_into_unknown_folder', company_id: companyId, media_id: 14, folder_id: NOWHERE }],
  },
  'a read-only pointer that is not there': {
    damage: ({ file, change, below, other }) => change(mediaKey(file.mediaId), { readOnlyIn: [other.folderId, below.folderId] }),
    found: (library) => [{ problem: 'read_only_without_pointer', ...fileIds(library), folder_id: library.below.folderId }],
  },
  'a pointer that removal would not find': {
    damage: ({ table, file, folder }) => table.update(pointerKey(file.mediaId, contentsOf(folder)), { remove: ['folderKey'] }),
    found: (library) => [{ problem: 'pointer_not_indexed', ...fileIds(library), folder_id: library.folder.folderId }],
  },
  'a file that is due to be deleted and not in a trashcan': {
    damage: ({ change, companyId, file, folder }) => change(pointerKey(file.mediaId, contentsOf(folder)), trashDue(companyId, 0)),
    found: (library) => [{ problem: 'pointer_due_wrong', ...fileIds(library), folder_id: library.folder.folderId }],
  },
  'a file and a folder in a trashcan that is not emptied': {
    async damage(library) {
      const { file, acting, below, clock } = library
      await trashMedia(acting(), file.mediaId, library.folder.folderId)
      await trashFolder(acting(), below.folderId)
      await expireCopy({ ...library, clock: { ...systemClock, now: () => clock.now() + 8 * DAY * 1000 } }, copyOf(library))
      clock.advance((TRASH_DAYS + 1) * DAY + 1)
    },
    found: (library) => [
      { problem: 'folder_not_expired', company_id: library.companyId, folder_id: library.below.folderId },
      { problem: 'pointer_not_expired', ...fileIds(library), folder_id: library.trashcan },
    ],
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
  'a prepared download that is not stored': {
    damage: ({ media, prepared }) => media.delete([prepared.key]),
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
    async damage(library) {
      const { table, media, described } = library
      await table.delete(copyKey(copyOf(library)))
      await table.transact({ job: expiryOf(library) })
      await media.put(`${objectKeys.downloads(described)}stray`, Buffer.from('x'), { contentType: 'image/jpeg' })
    },
    found: ({ prepared, described }) =>
      [prepared.key, `${objectKeys.downloads(described)}stray`].map((object) => ({ problem: 'download_unrecorded', object })),
  },
  'a prepared download that would never be removed': {
    damage: (library) => library.table.transact({ job: expiryOf(library) }),
    found: (library) => [{ problem: 'download_due_wrong', ...describedIds(library) }],
  },
  'a prepared download that should have been removed': {
    damage: async ({ clock }) => clock.advance(8 * DAY + 1),
    found: (library) => [{ problem: 'download_not_expired', ...describedIds(library) }],
  },
  'the picture of a user that is not stored': {
    damage: ({ media }) => media.put(formerPicture(NOWHERE), Buffer.from('x'), { contentType: 'image/jpeg' }),
    found: () => [{ problem: 'profile_image_without_user', user_id: NOWHERE, object: formerPicture(NOWHERE) }],
  },
  'a logo that its company no longer has': {
    async damage({ media, companyId, clock }) {
      await media.put(formerLogo(companyId), Buffer.from('x'), { contentType: 'image/png' })
      clock.advance(HOUR + 1)
    },
    found: ({ companyId }) => [{ problem: 'logo_unused', company_id: companyId, object: formerLogo(companyId) }],
  },
  'a picture that its user no longer has': {
    async damage({ media, userId, clock }) {
      await media.put(formerPicture(userId), Buffer.from('x'), { contentType: 'image/jpeg' })
      clock.advance(HOUR + 1)
    },
    found: ({ userId }) => [{ problem: 'profile_image_unused', user_id: userId, object: formerPicture(userId) }],
  },
  'an object of no known kind': {
    damage: ({ media }) => media.put('stray', Buffer.from('x'), { contentType: 'text/plain' }),
    found: () => [{ problem: 'unknown_object', object: 'stray' }],
  },
})
