import type { ContentsId, FolderId } from '../vocabulary/ids.ts'
import { contentsOf, type FolderRecord } from './folder.ts'

/** Numbers from the first up to, but without, the second. */
export type Range = readonly [from: number, to: number]

/**
 * The folders of a tree that are there, numbered such that what lies below a folder follows it at once: a subtree is a range of numbers, and
 * what holds for all below a folder is said by two of them.
 */
export class Layout {
  /** By number. */
  readonly folders: readonly FolderRecord[]
  /** By number: the user in whose trashcan the folder lies, or whose trashcan it is; 0 for none. */
  readonly trashOwners: Int32Array
  readonly #ends: Int32Array
  readonly #numbers = new Map<FolderId, number>()

  /** @param children folders by the contents id on which they hang, deleted ones too */
  constructor(children: ReadonlyMap<ContentsId | null, readonly FolderRecord[]>) {
    const folders: FolderRecord[] = []
    const parents: number[] = []
    const waiting: { folder: FolderRecord; parent: number }[] = []
    const wait = (contents: ContentsId | null, parent: number, parentId: FolderId | null) => {
      for (const folder of children.get(contents) ?? []) {
        if (folder.deleted === undefined && folder.parent === parentId) waiting.push({ folder, parent })
      }
    }
    wait(null, -1, null)
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const number = folders.push(next.folder) - 1
      parents.push(next.parent)
      this.#numbers.set(next.folder.folderId, number)
      wait(contentsOf(next.folder), number, next.folder.folderId)
    }
    this.folders = folders
    this.trashOwners = new Int32Array(folders.length)
    this.#ends = Int32Array.from(folders, (_, number) => number + 1)
    folders.forEach(({ system, owner = 0 }, number) => {
      this.trashOwners[number] = system === 'trash' ? owner : (this.trashOwners[parents[number]!] ?? 0)
    })
    for (let number = folders.length - 1; number >= 0; number--) {
      const parent = parents[number]!
      if (parent >= 0) this.#ends[parent] = Math.max(this.#ends[parent]!, this.#ends[number]!)
    }
  }

  /** The number of a folder that is there. */
  numberOf(folderId: FolderId): number | undefined {
    return this.#numbers.get(folderId)
  }

  /** A folder and all below it. */
  subtree(number: number): Range {
    return [number, this.#ends[number]!]
  }

  /** Those of these folders that are there, or of all below them too, each once however often it is named. */
  ranges(folderIds: Iterable<FolderId>, recursive: boolean): Range[] {
    const named = [...folderIds].flatMap((id): Range[] => {
      const number = this.numberOf(id)
      if (number === undefined) return []
      return [recursive ? this.subtree(number) : [number, number + 1]]
    })
    return united(named)
  }
}

/** Ranges without those that lie in others, in ascending order. Of two subtrees one contains the other, or they have nothing in common. */
export function united(ranges: readonly Range[]): Range[] {
  const found: Range[] = []
  let end = 0
  for (const range of ranges.toSorted(([a], [b]) => a - b)) {
    // The same start may stand for a folder alone and for its subtree: never both in one list.
    if (range[0] < end) continue
    found.push(range)
    end = range[1]
  }
  return found
}

/** Whether a number is in one of these ascending ranges. */
export function covers(ranges: readonly Range[], number: number): boolean {
  let [low, high] = [0, ranges.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (ranges[middle]![1] <= number) low = middle + 1
    else high = middle
  }
  return low < ranges.length && ranges[low]![0] <= number
}

/** Contents ids of the folders in these ranges whose number fits. */
export function contentsIn({ folders }: Layout, ranges: readonly Range[], fits: (number: number) => boolean): ContentsId[] {
  const found: ContentsId[] = []
  for (const [from, to] of ranges) {
    for (let number = from; number < to; number++) if (fits(number)) found.push(contentsOf(folders[number]!))
  }
  return found
}
