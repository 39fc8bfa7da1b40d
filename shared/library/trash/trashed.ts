import type { FolderId, MediaId } from '../../vocabulary/ids.ts'
import type { Reading } from '../library.ts'
import { getPointers } from '../media/pointers.ts'
import type { Found } from '../search/search-media.ts'
import type { FolderRecord } from '../tree/folder.ts'
import { trashedAt } from '../tree/trash.ts'

/** Since when something lies in a trashcan, and where it was before. */
export interface Trashed {
  /** UNIX milliseconds */
  at: number
  /** null for the root, and where it isn't known */
  from: FolderId | null
}

/** The trash entry of a folder that lies directly in a trashcan. */
export function trashedFolder({ dueKey, dueAt, deleted, trashedFrom = null }: FolderRecord): Trashed | undefined {
  return dueKey && dueAt && deleted === undefined ? { at: trashedAt({ dueAt }), from: trashedFrom } : undefined
}

/** The trash entries of those found files that lie directly in a trashcan which the search covers. */
export async function trashedFiles(library: Reading, found: readonly Found[]): Promise<ReadonlyMap<MediaId, Trashed>> {
  const wanted = found.flatMap(({ media: { mediaId, folders }, scope }) => {
    const trashcan = folders.find((contents) => scope.searched(contents) && scope.tree.folderOfContents(contents)?.system === 'trash')
    return trashcan === undefined ? [] : [{ mediaId, contents: trashcan }]
  })
  const pointers = await getPointers(library, wanted)
  return new Map(
    pointers.flatMap(({ mediaId, dueAt, trashedFrom = null }) =>
      dueAt ? [[mediaId, { at: trashedAt({ dueAt }), from: trashedFrom }]] : [],
    ),
  )
}
