import type { Clock } from '../../backends/clock/port.ts'
import type { Table } from '../../backends/table/port.ts'
import { Access, trashOwner } from '../access/access.ts'
import type { UserCaller } from '../access/caller.ts'
import { NotFound } from '../errors.ts'
import { deleteFolder, refusePermanent } from '../folders/folders.ts'
import { placed } from '../folders/placing.ts'
import { ensureTrashcan } from '../folders/system-folders.ts'
import { changeTree } from '../folders/tree-store.ts'

/**
 * Moves a folder with all below it to the caller's trashcan; one that lies in a trashcan already is deleted for good (decision 20). Needs
 * ADMIN on the folder. Moving it out again restores it.
 * @throws NotFound, Forbidden also for what is, or holds, a PERMANENT folder
 */
export async function trashFolderAs(
  { caller, table, clock }: { caller: UserCaller; table: Table; clock: Clock },
  folderId: number,
): Promise<void> {
  const access = new Access(table, caller)
  const folder = await access.alterableFolder(folderId)
  const { companyId } = folder
  if (trashOwner(await access.tree(companyId), folder) !== undefined) return deleteFolder({ table, clock }, access, folderId)
  const trashcan = await ensureTrashcan(table, clock, companyId, caller.user.userId)
  await changeTree(table, clock, companyId, (tree) => {
    const current = tree.get(folderId)
    if (!current) throw new NotFound('folder')
    // Trashed by another request at the same time: this one isn't the second that deletes.
    if (trashOwner(tree, current) !== undefined) return undefined
    refusePermanent(tree, folderId)
    return { put: [{ ...current, ...placed(tree, current, trashcan.folderId, clock.now()) }] }
  })
}
