import type { FolderRecord } from './folder.ts'
import type { Tree } from './tree.ts'

/** The user in whose trashcan a folder of the tree lies, or whose trashcan it is. */
export function trashOwner(tree: Tree, folder: FolderRecord): number | undefined {
  return tree.chain(folder.folderId)?.find(({ system }) => system === 'trash')?.owner
}
