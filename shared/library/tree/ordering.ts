import { byName } from '../by-name.ts'
import type { FolderRecord } from './folder.ts'

/** Sort fields of lists of folders. */
export type FolderField = 'name' | 'created'

const comparisons: Readonly<Record<FolderField, (a: FolderRecord, b: FolderRecord) => number>> = {
  name: byName(
    ({ name }) => name,
    ({ folderId }) => folderId,
  ),
  created: (a, b) => a.created - b.created || a.folderId - b.folderId,
}

/** Ascending comparator of folders. Ids break ties, so every list has one order. */
export const comparing = (field: FolderField) => comparisons[field]

/** Up to so many new folders are inserted one by one. More are sorted with all others. */
const MOST_INSERTED = 1_000

/**
 * Sorts folders by reusing the order of an earlier version: sorting 100,000 names takes two seconds.
 * @param before the order of an earlier version, by the same field
 */
export function sortedAgain(folders: readonly FolderRecord[], before: readonly FolderRecord[], field: FolderField): FolderRecord[] {
  const compare = comparing(field)
  const added = new Set(folders)
  const sorted = before.filter((folder) => added.delete(folder))
  if (added.size > MOST_INSERTED) return [...sorted, ...added].sort(compare)
  for (const folder of added) {
    const place = placeIn(sorted, (each) => compare(each, folder) < 0)
    sorted.splice(place, 0, folder)
  }
  return sorted
}

function placeIn(sorted: readonly FolderRecord[], isBefore: (folder: FolderRecord) => boolean): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (isBefore(sorted[middle]!)) low = middle + 1
    else high = middle
  }
  return low
}
