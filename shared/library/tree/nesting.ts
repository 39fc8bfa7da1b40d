import type { FolderId } from '../../vocabulary/ids.ts'
import { Invalid, NotFound } from '../errors.ts'
import { dueIn, type FolderRecord } from './folder.ts'
import type { Chains, Tree } from './tree.ts'

/** Deepest nesting. Rights are inherited along the whole chain, so it has to end somewhere. */
export const MAX_DEPTH = 200

/**
 * Attributes of a folder that lies in a parent from now on. In a trashcan it is due to be deleted, and keeps where it was before.
 * @param now UNIX milliseconds
 */
export function parentAttributes(tree: Chains, folder: FolderRecord, parent: FolderId | null, now: number): Partial<FolderRecord> {
  const above = parent === null ? undefined : tree.get(parent)
  const trashedFrom = above?.system === 'trash' && folder.parent !== parent ? folder.parent : undefined
  return { parent, parentContents: above?.contents, trashedFrom, ...dueIn(above, folder.folderId, now) }
}

/** @param height levels that come to lie below `parent` @throws NotFound, Invalid when that is too deep */
export function checkDepth(tree: Chains, parent: FolderId, height: number): void {
  const chain = tree.chain(parent)
  if (!chain) throw new NotFound('folder')
  if (chain.length + height > MAX_DEPTH) {
    throw new Invalid({ path: 'parent', message: `is too deep: folders nest at most ${MAX_DEPTH} levels` }, 'nested_too_deep')
  }
}

/** Levels of a folder and what is below it: 1 without subfolders. */
export function height(tree: Tree, folderId: FolderId): number {
  const above = tree.chain(folderId)?.length ?? 0
  return tree.subtree(folderId).reduce((most, { folderId: id }) => Math.max(most, (tree.chain(id)?.length ?? above) - above + 1), 1)
}
