import type { Tree } from './tree.ts'

/** Tags of a folder: its own and those of every folder above it, each once. */
export function inheritedTags(tree: Tree, folderId: number): string[] {
  return [...new Set((tree.chain(folderId) ?? []).flatMap(({ tags }) => tags))]
}
