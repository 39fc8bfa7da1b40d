import { contentsOf } from './folder.ts'
import type { Tree } from './tree.ts'

/** Tags of a folder: its own and those of every folder above it, each once. */
export function inheritedTags(tree: Tree, folderId: number): string[] {
  return [...new Set((tree.chain(folderId) ?? []).flatMap(({ tags }) => tags))]
}

/** Contents ids of the folders whose own or inherited tags match. */
export function foldersTagged(tree: Tree, matches: (tag: string) => boolean): Set<number> {
  const roots = [...tree.all()].filter(({ tags }) => tags.some(matches))
  return new Set(roots.flatMap(({ folderId }) => tree.subtree(folderId).map(contentsOf)))
}
