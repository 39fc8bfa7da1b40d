import type { FolderId } from '../../vocabulary/ids.ts'
import type { AuthorizedWriting } from '../access/access.ts'
import { NotFound } from '../errors.ts'
import { withFreshId } from '../fresh-id.ts'
import { claimId } from '../tree/folder.ts'
import { emptyingOf } from '../tree/folder-changes.ts'
import { changeTree } from '../tree/tree-store.ts'
import { refusePermanent } from './folders.ts'

/**
 * Deletes everything in and below a folder, and keeps the folder itself, even a PERMANENT one. Empties trashcans. Requires ADMIN. The
 * contents disappear from all responses at once. A job removes them from the table.
 * @throws NotFound, Forbidden also when a folder below is PERMANENT
 */
export async function purgeFolder(library: AuthorizedWriting, folderId: FolderId): Promise<void> {
  const { companyId } = await library.access.folderWith('ADMIN', folderId)
  await withFreshId((freshId: FolderId) =>
    changeTree(library, companyId, (tree) => {
      const folder = tree.get(folderId)
      if (!folder) throw new NotFound('folder')
      refusePermanent(tree, folderId)
      const { put, also } = emptyingOf(library, folder, freshId)
      return { put, also: { ...also, claim: claimId(companyId, freshId, folderId) } }
    }),
  )
}
