import type { FolderId } from '../../vocabulary/ids.ts'
import { withId } from '../fresh-id.ts'
import type { Writing } from '../library.ts'
import { claimId, type FolderRecord, newFolder } from '../tree/folder.ts'
import { checkDepth, parentAttributes } from '../tree/folder-changes.ts'
import type { Tree } from '../tree/tree.ts'
import { changeTree, loadTree } from '../tree/tree-store.ts'

/** The wanted folder. */
type WantedFolder = Pick<FolderRecord, 'companyId' | 'name' | 'parent'> & {
  /** Preferred among folders of the same name, and the id of a created one. */
  folderId?: FolderId
  /** Time of a created one, in UNIX milliseconds; absent: now. */
  created?: number
  /** Folders of the same name that are not the wanted one. */
  excluded?: ReadonlySet<FolderId>
}

/**
 * Finds the folder of this name under `parent`, or creates it. Trashcans don't count. Concurrent calls create one folder. Checks no rights.
 * @throws NotFound, Invalid when it lies too deep, Conflict where the wanted id is taken
 */
export async function ensureFolder(library: Writing, wanted: WantedFolder): Promise<FolderRecord> {
  const { companyId } = wanted
  const known = folderNamed(await loadTree(library, companyId), wanted)
  if (known) return known
  return withId(wanted.folderId, 'folder', (folderId: FolderId) => create(library, wanted, folderId))
}

/** The folder of this name under `parent`; the first of several. Trashcans don't count. */
export function folderNamed(
  tree: Tree,
  { name, parent, folderId, excluded }: Pick<WantedFolder, 'name' | 'parent' | 'folderId' | 'excluded'>,
): FolderRecord | undefined {
  const named = tree.children(parent, 'name').filter((folder) => folder.name === name && folder.system !== 'trash')
  return named.find((folder) => folder.folderId === folderId) ?? named.find((folder) => !excluded?.has(folder.folderId))
}

async function create(library: Writing, wanted: WantedFolder, folderId: FolderId): Promise<FolderRecord> {
  const { companyId, name, parent } = wanted
  const now = library.clock.now()
  const tree = await changeTree(library, companyId, (current) => {
    if (folderNamed(current, wanted)) return undefined
    if (parent !== null) checkDepth(current, parent, 1)
    const folder = newFolder(folderId, { companyId, name, parent, created: wanted.created ?? now })
    return {
      put: [{ ...folder, ...parentAttributes(current, folder, parent, now) }],
      also: { claim: claimId(companyId, folderId) },
    }
  })
  return folderNamed(tree, wanted)!
}
