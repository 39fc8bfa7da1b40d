import type { CompanyId, FolderId, UserId } from '../../vocabulary/ids.ts'
import { withFreshId } from '../fresh-id.ts'
import type { Writing } from '../library.ts'
import { claimId, type FolderRecord, newFolder } from './folder.ts'
import type { Tree } from './tree.ts'
import { changeTree, loadTree } from './tree-store.ts'

/** The company's public media gallery; made once. */
export async function ensurePublicGallery(library: Writing, companyId: CompanyId): Promise<FolderRecord> {
  return ensure(library, companyId, { name: 'Public gallery', system: 'public' })
}

/** The user's trashcan in a company; made once. */
export async function ensureTrashcan(library: Writing, companyId: CompanyId, userId: UserId): Promise<FolderRecord> {
  return ensure(library, companyId, { name: 'Trashcan', system: 'trash', owner: userId })
}

type SystemFolderInput = Required<Pick<FolderRecord, 'name' | 'system'>> & Pick<FolderRecord, 'owner'>

async function ensure(library: Writing, companyId: CompanyId, input: SystemFolderInput): Promise<FolderRecord> {
  const known = find(await loadTree(library, companyId), input)
  if (known) return known
  const tree = await withFreshId((folderId: FolderId) =>
    changeTree(library, companyId, (current) => {
      if (find(current, input)) return undefined
      const folder = newFolder(folderId, { companyId, parent: null, created: library.clock.now(), ...input })
      return { put: [folder], also: { claim: claimId(companyId, folderId) } }
    }),
  )
  return find(tree, input)!
}

function find(tree: Tree, { system, owner }: SystemFolderInput): FolderRecord | undefined {
  return tree.all().find((folder) => folder.system === system && folder.owner === owner)
}
