import type { Clock } from '../../backends/clock/port.ts'
import type { Table } from '../../backends/table/port.ts'
import { withFreshId } from '../ids.ts'
import { claimId, type FolderRecord, newFolder } from './folder.ts'
import type { Tree } from './tree.ts'
import { changeTree, loadTree } from './tree-store.ts'

/** The company's public media gallery; made once. */
export async function ensurePublicGallery(table: Table, clock: Clock, companyId: number): Promise<FolderRecord> {
  return ensure({ table, clock }, companyId, { name: 'Public gallery', system: 'public' })
}

/** The user's trashcan in a company; made once. */
export async function ensureTrashcan(table: Table, clock: Clock, companyId: number, userId: number): Promise<FolderRecord> {
  return ensure({ table, clock }, companyId, { name: 'Trashcan', system: 'trash', owner: userId })
}

type SystemFolderInput = Required<Pick<FolderRecord, 'name' | 'system'>> & Pick<FolderRecord, 'owner'>

async function ensure(
  { table, clock }: { table: Table; clock: Clock },
  companyId: number,
  input: SystemFolderInput,
): Promise<FolderRecord> {
  const known = find(await loadTree(table, companyId), input)
  if (known) return known
  const tree = await withFreshId((folderId) =>
    changeTree(table, clock, companyId, (current) => {
      if (find(current, input)) return undefined
      const folder = newFolder(folderId, { companyId, parent: null, created: clock.now(), ...input })
      return { put: [folder], also: { claim: claimId(companyId, folderId) } }
    }),
  )
  return find(tree, input)!
}

function find(tree: Tree, { system, owner }: SystemFolderInput): FolderRecord | undefined {
  return tree.all().find((folder) => folder.system === system && folder.owner === owner)
}
