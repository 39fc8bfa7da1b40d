import { byName } from '../by-name.ts'
import type { FolderRecord } from './folder.ts'
import type { Layout } from './layout.ts'

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

/** The existing folders of a tree, ascending. */
export interface SortedFolders {
  readonly folders: readonly FolderRecord[]
  /** Their numbers (layout.ts). */
  readonly numbers: Int32Array
}

/** More folders than this are sorted together with the others. */
const MOST_INSERTED = 1_000

/**
 * Sorts folders by reusing the order of an earlier version: comparing 100,000 names takes longer than the rest of an answer.
 * @param before the order of an earlier version, by the same field
 */
export function sortedAgain(layout: Layout, before: SortedFolders | undefined, field: FolderField): SortedFolders {
  const all = layout.folders
  const compare = (a: number, b: number) => comparing(field)(all[a]!, all[b]!)
  const numbers = new Int32Array(all.length)
  const isKept = new Uint8Array(all.length)
  let kept = 0
  before?.folders.forEach((folder, at) => {
    // Most have the number that they had.
    const was = before.numbers[at]!
    const number = all[was] === folder ? was : layout.numberOf(folder.folderId)
    if (number === undefined || all[number] !== folder) return
    numbers[kept++] = number
    isKept[number] = 1
  })
  const areMany = all.length - kept > MOST_INSERTED
  isKept.forEach((is, number) => {
    if (is === 1) return
    const place = areMany ? kept : placeIn(numbers.subarray(0, kept), number, compare)
    numbers.copyWithin(place + 1, place, kept++)
    numbers[place] = number
  })
  if (areMany) numbers.sort(compare)
  return { folders: Array.from(numbers, (number) => all[number]!), numbers }
}

function placeIn(sorted: Int32Array, number: number, compare: (a: number, b: number) => number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (compare(sorted[middle]!, number) < 0) low = middle + 1
    else high = middle
  }
  return low
}
