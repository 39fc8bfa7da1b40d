import type { Clock } from '../../backends/clock/port.ts'
import type { Table } from '../../backends/table/port.ts'
import type { FolderRecord } from './folder.ts'
import { createSystemFolder } from './folders.ts'
import type { Tree } from './tree.ts'
import { loadTree } from './tree-store.ts'

/** The company's public media gallery; made once. */
export async function ensurePublicGallery(table: Table, clock: Clock, companyId: number): Promise<FolderRecord> {
  const known = find(await loadTree(table, companyId), ({ system }) => system === 'public')
  return known ?? createSystemFolder({ table, clock }, { companyId, name: 'Public gallery', system: 'public' })
}

/** The user's trashcan in a company; made once. */
export async function ensureTrashcan(table: Table, clock: Clock, companyId: number, userId: number): Promise<FolderRecord> {
  const known = find(await loadTree(table, companyId), ({ system, owner }) => system === 'trash' && owner === userId)
  return known ?? createSystemFolder({ table, clock }, { companyId, name: 'Trashcan', system: 'trash', owner: userId })
}

function find(tree: Tree, matches: (folder: FolderRecord) => boolean): FolderRecord | undefined {
  for (const folder of tree.all()) if (matches(folder)) return folder
  return undefined
}
