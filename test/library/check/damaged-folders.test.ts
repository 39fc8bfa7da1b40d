import { deleteFolder } from '../../../shared/library/folders/folders.ts'
import { withoutPointers } from '../../../shared/library/media/placement.ts'
import { changePointers } from '../../../shared/library/media/pointers.ts'
import { contentsOf, folderClaimKey, folderKey } from '../../../shared/library/tree/folder.ts'
import { removalKey } from '../../../shared/library/tree/folder-changes.ts'
import { type AliasClaim, aliasKey } from '../../../shared/library/tree/system-folders.ts'
import { trashDue } from '../../../shared/library/tree/trash.ts'
import { versionKey } from '../../../shared/library/tree/tree-log.ts'
import { toFolderId } from '../../../shared/vocabulary/ids.ts'
import { DAY, findsEach, NOWHERE } from './damage.ts'
import type { HealthyLibrary } from './healthy-library.ts'

const folderIds = ({ companyId, folder }: HealthyLibrary) => ({ company_id: companyId, folder_id: folder.folderId })
const aliasIds = ({ companyId, press }: HealthyLibrary) => ({ company_id: companyId, folder_id: press.folderId, alias: 'press' })

findsEach({
  'a folder that is due to be deleted and not in a trashcan': {
    damage: ({ change, companyId, folder }) => change(folderKey(companyId, folder.folderId), trashDue(companyId, 0)),
    found: (library) => [{ problem: 'folder_due_wrong', ...folderIds(library) }],
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
})
