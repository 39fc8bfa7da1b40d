import type { FolderId } from '../../vocabulary/ids.ts'
import type { Access } from '../access/access.ts'
import type { UserCaller } from '../access/caller.ts'
import { NotFound } from '../errors.ts'
import { grantsAfterMove } from '../folders/carried-rights.ts'
import { refusePermanent } from '../folders/folders.ts'
import type { Writing } from '../library.ts'
import { deletionOf, parentAttributes } from '../tree/folder-changes.ts'
import { ensureTrashcan } from '../tree/system-folders.ts'
import { trashOwner } from '../tree/tree.ts'
import { changeTree } from '../tree/tree-store.ts'

/**
 * Moves a folder with all below it to the caller's trashcan; one that lies in a trashcan already is deleted for good. Needs
 * ADMIN on the folder. Moving it out again restores it.
 * @throws NotFound, Forbidden also for a folder that is PERMANENT or contains one
 */
export async function trashFolder(library: Writing & { access: Access<UserCaller> }, folderId: FolderId): Promise<void> {
  const { access, clock } = library
  const folder = await access.alterableFolder(folderId)
  const { companyId } = folder
  const wasInTrash = trashOwner(await access.tree(companyId), folder) !== undefined
  const trashcan = await ensureTrashcan(library, companyId, access.caller.user.userId)
  const grantsAfter = await grantsAfterMove(access)
  await changeTree(library, companyId, (tree) => {
    const current = tree.get(folderId)
    if (!current) throw new NotFound('folder')
    refusePermanent(tree, folderId)
    // Restored meanwhile: then it goes to the trashcan again.
    if (trashOwner(tree, current) === undefined) {
      const placed = parentAttributes(tree, current, trashcan.folderId, clock.now())
      return { put: [{ ...current, ...placed, ...grantsAfter(tree, current, trashcan) }] }
    }
    // Trashed by another request at the same time: this one isn't the second that deletes.
    return wasInTrash ? deletionOf(library, current) : undefined
  })
}
