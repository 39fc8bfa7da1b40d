import type { Found } from '../../shared/library/search/search-media.ts'
import { inheritedTags } from '../../shared/library/tree/tree.ts'
import type { FolderId } from '../../shared/vocabulary/ids.ts'

/** The folders that hold a file, in answers. Each is looked up when it is asked for. */
export interface ShownFolders {
  /** Those that the caller can read. Trashcans are left out, unless the search names them. */
  ids(): FolderId[]
  /** One of them that the search covers. */
  searched(): FolderId | null
  /** Their tags, inherited ones included. */
  tags(): string[]
}

/** The folders of an own file. */
export function foldersOf({ media, scope }: Found): ShownFolders {
  const ids = () => media.folders.flatMap((contents) => scope.shown(contents) ?? [])
  return {
    ids,
    searched: () => media.folders.map((contents) => scope.searched(contents)).find((id) => id !== undefined) ?? null,
    tags: () => [...new Set(ids().flatMap((folderId) => inheritedTags(scope.tree, folderId)))],
  }
}

/** The folders of a file that is in none of the caller's. */
export const noFolders: ShownFolders = { ids: () => [], searched: () => null, tags: () => [] }
