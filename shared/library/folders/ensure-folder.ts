import { ConditionFailed } from '../../backends/table/port.ts'
import type { FolderId } from '../../vocabulary/ids.ts'
import { Conflict } from '../errors.ts'
import { withFreshId } from '../fresh-id.ts'
import type { Writing } from '../library.ts'
import { claimId, type FolderRecord, newFolder } from '../tree/folder.ts'
import { checkDepth, parentAttributes } from '../tree/folder-changes.ts'
import type { Tree } from '../tree/tree.ts'
import { changeTree, loadTree } from '../tree/tree-store.ts'

/** A folder that is wanted. Its id counts where it is made. */
type WantedFolder = Pick<FolderRecord, 'companyId' | 'name' | 'parent'> & { folderId?: FolderId; tags?: string[] }

/**
 * The folder of that name in another one, or at the root, outside of trashcans; made where there is none, by one of several that ask at the same
 * time. Rights are the caller's to check.
 * @throws NotFound, Invalid when it lies too deep, Conflict where the wanted id is taken
 */
export async function ensureFolder(library: Writing, wanted: WantedFolder): Promise<FolderRecord> {
  const { companyId } = wanted
  const known = folderNamed(await loadTree(library, companyId), wanted)
  if (known) return known
  if (wanted.folderId === undefined) return withFreshId((folderId: FolderId) => make(library, wanted, folderId))
  try {
    return await make(library, wanted, wanted.folderId)
  } catch (error) {
    if (!(error instanceof ConditionFailed && error.failed('claim'))) throw error
    throw new Conflict(`There is another folder ${wanted.folderId} already.`)
  }
}

/** The folder of that name in another one, or at the root, outside of trashcans. The first of several. */
export function folderNamed(tree: Tree, { name, parent }: Pick<FolderRecord, 'name' | 'parent'>): FolderRecord | undefined {
  return tree.children(parent, 'name').find((folder) => folder.name === name && folder.system !== 'trash')
}

async function make(library: Writing, { companyId, name, parent, tags }: WantedFolder, folderId: FolderId): Promise<FolderRecord> {
  const now = library.clock.now()
  const tree = await changeTree(library, companyId, (current) => {
    if (folderNamed(current, { name, parent })) return undefined
    if (parent !== null) checkDepth(current, parent, 1)
    const folder = newFolder(folderId, { companyId, name, parent, created: now, ...(tags && { tags }) })
    return {
      put: [{ ...folder, ...parentAttributes(current, folder, parent, now) }],
      also: { claim: claimId(companyId, folderId) },
    }
  })
  return folderNamed(tree, { name, parent })!
}
