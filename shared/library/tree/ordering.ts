import { byName } from '../by-name.ts'
import type { FolderRecord } from './folder.ts'

/** What lists of folders are sorted by. */
export type FolderField = 'name' | 'created'

const comparisons: Readonly<Record<FolderField, (a: FolderRecord, b: FolderRecord) => number>> = {
  name: byName(
    ({ name }) => name,
    ({ folderId }) => folderId,
  ),
  created: (a, b) => a.created - b.created || a.folderId - b.folderId,
}

/** Orders folders, ascending. Ties are broken by id, so that every list has one order. */
export const comparing = (field: FolderField) => comparisons[field]

/**
 * Sorts folders, ascending, when most of them were sorted before: records that are the same as then stay in their places. Comparing 10,000
 * names takes longer than all else of an answer that lists them.
 * @param sorted an earlier result; folders that aren't in `folders` are left out
 */
export function sortedAgain(folders: ReadonlySet<FolderRecord>, sorted: readonly FolderRecord[], field: FolderField): FolderRecord[] {
  const kept = sorted.filter((folder) => folders.has(folder))
  const changed = [...folders.difference(new Set(kept))].sort(comparing(field))
  // The engine's sort takes runs that are in order as they are, and merges them.
  return changed.length === 0 ? kept : [...kept, ...changed].sort(comparing(field))
}
