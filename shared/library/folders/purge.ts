import type { Clock } from '../../backends/clock/port.ts'
import type { Table } from '../../backends/table/port.ts'
import type { Access } from '../access/access.ts'
import { NotFound } from '../errors.ts'
import { withFreshId } from '../ids.ts'
import { claimId, contentsOf, deletedNow, newFolder } from '../tree/folder.ts'
import { changeTree } from '../tree/tree-store.ts'
import { refusePermanent } from './folders.ts'

/**
 * Deletes everything in and below a folder and keeps the folder, also a PERMANENT one: so a trashcan is emptied. Needs ADMIN. Whatever it
 * holds is gone from every answer at once: the folder gets a fresh contents id, and a deleted record inherits the old one, of which the
 * removal job takes away all, as of any deleted folder.
 * @throws NotFound, Forbidden also when a folder below is PERMANENT
 */
export async function purgeFolder({ table, clock }: { table: Table; clock: Clock }, access: Access, folderId: number): Promise<void> {
  const { companyId } = await access.folderWith('ADMIN', folderId)
  await withFreshId((freshId) =>
    changeTree(table, clock, companyId, (tree) => {
      const folder = tree.get(folderId)
      if (!folder) throw new NotFound('folder')
      refusePermanent(tree, folderId)
      const [now, { name }] = [clock.now(), folder]
      const remains = deletedNow(newFolder(freshId, { companyId, name, parent: null, created: now, contents: contentsOf(folder) }), now)
      return { put: [{ ...folder, contents: freshId }, remains], also: { claim: claimId(companyId, freshId) } }
    }),
  )
}
