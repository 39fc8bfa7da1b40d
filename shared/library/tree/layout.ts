import type { ContentsId, FolderId } from '../vocabulary/ids.ts'
import { contentsOf, type FolderRecord } from './folder.ts'
import { NumberedFolders } from './numbered-folders.ts'

/** Numbers from the first up to, but without, the second. */
export type Range = readonly [from: number, to: number]

/**
 * The folders of a tree that are there, numbered such that what lies below a folder follows it at once: a subtree is a range of numbers, and
 * what holds for all below a folder is said by two of them.
 */
export class Layout {
  readonly folders: NumberedFolders
  /** By number: the user in whose trashcan the folder lies, or whose trashcan it is; 0 for none. */
  readonly trashOwners: Int32Array
  /** The same object in all layouts with the same folders at the same numbers, which give the same grants. */
  readonly rightsKey: object
  readonly #ends: Int32Array
  readonly #numbers: ReadonlyMap<FolderId, number>

  private constructor(folders: NumberedFolders, { trashOwners, ends, numbers }: Shape, rightsKey: object = {}) {
    this.folders = folders
    this.trashOwners = trashOwners
    this.rightsKey = rightsKey
    this.#ends = ends
    this.#numbers = numbers
  }

  /** @param children folders by the contents id on which they hang, deleted ones too */
  static of(children: ReadonlyMap<ContentsId | null, readonly FolderRecord[]>): Layout {
    const folders: FolderRecord[] = []
    const parents: number[] = []
    const numbers = new Map<FolderId, number>()
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
      numbers.set(next.folder.folderId, number)
      wait(contentsOf(next.folder), number, next.folder.folderId)
    }
    const trashOwners = new Int32Array(folders.length)
    const ends = Int32Array.from(folders, (_, number) => number + 1)
    folders.forEach(({ system, owner = 0 }, number) => {
      trashOwners[number] = system === 'trash' ? owner : (trashOwners[parents[number]!] ?? 0)
    })
    for (let number = folders.length - 1; number >= 0; number--) {
      const parent = parents[number]!
      if (parent >= 0) ends[parent] = Math.max(ends[parent]!, ends[number]!)
    }
    return new Layout(NumberedFolders.of(folders), { trashOwners, ends, numbers })
  }

  /** The same with these records in place of earlier ones; undefined where one of them is new, or may lie elsewhere than before. */
  with(changed: readonly FolderRecord[]): Layout | undefined {
    const renewed: [number: number, folder: FolderRecord][] = []
    let { rightsKey } = this
    for (const folder of changed) {
      const number = this.numberOf(folder.folderId)
      const before = number === undefined ? undefined : this.folders.at(number)
      if (number === undefined || !before || !hasSamePlace(folder, before)) return undefined
      if (!hasSameGrants(folder, before)) rightsKey = {}
      renewed.push([number, folder])
    }
    const shape = { trashOwners: this.trashOwners, ends: this.#ends, numbers: this.#numbers }
    return new Layout(this.folders.with(renewed), shape, rightsKey)
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

/** What doesn't depend on anything else than where folders lie. */
interface Shape {
  trashOwners: Int32Array
  ends: Int32Array
  numbers: ReadonlyMap<FolderId, number>
}

/** Whether two records of a folder say the same of where it lies, and what hangs on it. */
function hasSamePlace(a: FolderRecord, b: FolderRecord): boolean {
  const isSame = (key: 'parent' | 'parentContents' | 'contents' | 'deleted' | 'system' | 'owner') => a[key] === b[key]
  return isSame('parent') && isSame('parentContents') && isSame('contents') && isSame('deleted') && isSame('system') && isSame('owner')
}

const hasSameGrants = (a: FolderRecord, b: FolderRecord): boolean =>
  a.grants === b.grants || JSON.stringify(a.grants) === JSON.stringify(b.grants)

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
    for (let number = from; number < to; number++) if (fits(number)) found.push(contentsOf(folders.at(number)))
  }
  return found
}
