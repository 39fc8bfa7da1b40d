import type { FolderId } from '../../vocabulary/ids.ts'
import { withId } from '../fresh-id.ts'
import type { Writing } from '../library.ts'
import { claimId, type FolderRecord, newFolder } from '../tree/folder.ts'
import { checkDepth, parentAttributes } from '../tree/folder-changes.ts'
import type { Tree } from '../tree/tree.ts'
import { changeTree, loadTree } from '../tree/tree-store.ts'

/** A folder that is wanted. */
type WantedFolder = Pick<FolderRecord, 'companyId' | 'name' | 'parent'> & {
  /** Tells it from others of its name, and is its id where it is made. */
  folderId?: FolderId
  /** UNIX milliseconds, where it is made; absent: now. */
  created?: number
  /** Folders of its name that are others. */
  apart?: ReadonlySet<FolderId>
}

/**
 * The folder of that name in another one, or at the root, outside of trashcans; made where there is none, by one of several that ask at the same
 * time. Rights are the caller's to check.
 * @throws NotFound, Invalid when it lies too deep, Conflict where the wanted id is taken
 */
export async function ensureFolder(library: Writing, wanted: WantedFolder): Promise<FolderRecord> {
  const { companyId } = wanted
  const known = folderNamed(await loadTree(library, companyId), wanted)
  if (known) return known
  return withId(wanted.folderId, 'folder', (folderId: FolderId) => make(library, wanted, folderId))
}

/** The folder of that name in another one, or at the root, outside of trashcans. The first of several. */
export function folderNamed(
  tree: Tree,
  { name, parent, folderId, apart }: Pick<WantedFolder, 'name' | 'parent' | 'folderId' | 'apart'>,
): FolderRecord | undefined {
  const named = tree.children(parent, 'name').filter((folder) => folder.name === name && folder.system !== 'trash')
  return named.find((folder) => folder.folderId === folderId) ?? named.find((folder) => !apart?.has(folder.folderId))
}

async function make(library: Writing, wanted: WantedFolder, folderId: FolderId): Promise<FolderRecord> {
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
