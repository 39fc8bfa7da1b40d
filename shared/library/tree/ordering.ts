import { byName } from '../by-name.ts'
import type { FolderRecord } from './folder.ts'
import type { Layout } from './layout.ts'
import { NumberedFolders } from './numbered-folders.ts'

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

/** The folders of a tree, sorted. */
export class SortedFolders {
  static readonly none = new SortedFolders(NumberedFolders.of([]), new Int32Array())
  readonly #folders: NumberedFolders
  /** The numbers of the folders, in their order: the same list as long as the order is the same. */
  readonly numbers: Int32Array

  constructor(folders: NumberedFolders, numbers: Int32Array) {
    this.#folders = folders
    this.numbers = numbers
  }

  get length(): number {
    return this.numbers.length
  }

  /** The folder at a place that there is. */
  at(place: number): FolderRecord {
    return this.#folders.at(this.numbers[place]!)
  }

  *[Symbol.iterator](): Generator<FolderRecord> {
    for (const number of this.numbers) yield this.#folders.at(number)
  }

  /**
   * Sorts the folders of a newer tree, most of which were sorted here: what they are sorted by is the same as then. Comparing 100,000 names takes
   * longer than all else of an answer that lists them.
   * @param field by which these are sorted
   */
  again(layout: Layout, field: FolderField): SortedFolders {
    const compare = comparing(field)
    const { folders } = layout
    const changed = folders.changedSince(this.#folders)
    const isInPlace = (number: number) => compare(this.#folders.at(number), folders.at(number)) === 0
    if (changed?.every(isInPlace)) return new SortedFolders(folders, this.numbers)
    const numbersNow = changed ? undefined : numbersAfter(this.#folders, layout)
    const numbers = new Int32Array(folders.length)
    const isKept = new Uint8Array(folders.length)
    let kept = 0
    for (const before of this.numbers) {
      const number = numbersNow ? numbersNow[before]! : before
      if (number < 0) continue
      const [folder, now] = [this.#folders.at(before), folders.at(number)]
      if (now !== folder && compare(now, folder) !== 0) continue
      numbers[kept++] = number
      isKept[number] = 1
    }
    const others: FolderRecord[] = []
    for (let number = 0; number < folders.length; number++) if (isKept[number] === 0) others.push(folders.at(number))
    insert(others.sort(compare), { numbers, kept, layout, compare })
    return new SortedFolders(folders, numbers)
  }
}

/** The numbers that folders have now, by those that they had before; -1 for those that are gone. */
function numbersAfter(before: NumberedFolders, layout: Layout): Int32Array {
  const numbers = new Int32Array(before.length)
  // Folders that followed each other do so still, but where something came between them or was taken out.
  let next = 0
  before.forEach((folder, number) => {
    const isNext = next < layout.folders.length && layout.folders.at(next) === folder
    const now = isNext ? next : (layout.numberOf(folder.folderId) ?? -1)
    numbers[number] = now
    next = now + 1
  })
  return numbers
}

interface Room {
  /** Those of the sorted folders, and room for those that come in between. */
  numbers: Int32Array
  /** How many are sorted. */
  kept: number
  layout: Layout
  compare: (a: FolderRecord, b: FolderRecord) => number
}

/** Inserts sorted folders into sorted folders, the last one first: what comes behind it makes room for all that come before. */
function insert(others: readonly FolderRecord[], { numbers, kept, layout, compare }: Room): void {
  let end = kept
  for (let left = others.length; left > 0; left--) {
    const folder = others[left - 1]!
    let [low, high] = [0, end]
    while (low < high) {
      const middle = (low + high) >> 1
      if (compare(layout.folders.at(numbers[middle]!), folder) < 0) low = middle + 1
      else high = middle
    }
    numbers.copyWithin(low + left, low, end)
    numbers[low + left - 1] = layout.numberOf(folder.folderId)!
    end = low
  }
}
