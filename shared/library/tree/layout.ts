import type { ContentsId, FolderId } from '../../vocabulary/ids.ts'
import { contentsOf, type FolderRecord } from './folder.ts'

/** A range of numbers: `from` is included, `to` is not. */
export type Range = readonly [from: number, to: number]

/**
 * The existing folders of a tree, numbered in preorder: a subtree is a range of numbers.
 */
export class Layout {
  readonly folders: readonly FolderRecord[]
  /** By number: the owner of the trashcan that the folder is or lies in; 0 for none. */
  readonly trashOwners: Int32Array
  readonly #ends: Int32Array
  readonly #numbers: ReadonlyMap<FolderId, number>

  /**
   * @param children folders by the contents id of their parent, deleted ones too
   * @param size number of these folders
   */
  constructor(children: ReadonlyMap<ContentsId | null, readonly FolderRecord[]>, size: number) {
    const folders = new Array<FolderRecord>(size)
    let length = 0
    const [trashOwners, ends] = [new Int32Array(size), new Int32Array(size)]
    const place = (contents: ContentsId | null, parentId: FolderId | null, above: number) => {
      for (const folder of children.get(contents) ?? []) {
        if (folder.deleted !== undefined || folder.parent !== parentId) continue
        const owner = folder.system === 'trash' ? (folder.owner ?? 0) : above
        const number = length++
        folders[number] = folder
        trashOwners[number] = owner
        // Recursion is as deep as folders nest (folder-changes.ts).
        place(contentsOf(folder), folder.folderId, owner)
        ends[number] = length
      }
    }
    place(null, null, 0)
    folders.length = length
    this.folders = folders
    this.trashOwners = trashOwners
    this.#ends = ends
    this.#numbers = new Map(Iterator.from(folders).map(({ folderId }, number) => [folderId, number]))
  }

  /** The number of an existing folder. */
  numberOf(folderId: FolderId): number | undefined {
    return this.#numbers.get(folderId)
  }

  /** The numbers of a folder and of all below it. */
  subtree(number: number): Range {
    return [number, this.#ends[number]!]
  }

  /** The subfolders of a folder, or the roots (null); undefined where the folder doesn't exist. */
  children(parent: FolderId | null): FolderRecord[] | undefined {
    const number = parent === null ? -1 : this.numberOf(parent)
    if (number === undefined) return undefined
    const found: FolderRecord[] = []
    const end = parent === null ? this.folders.length : this.#ends[number]!
    for (let child = number + 1; child < end; child = this.#ends[child]!) found.push(this.folders[child]!)
    return found
  }

  /** The numbers of those of these folders that exist, or of their subtrees. Each number once. */
  ranges(folderIds: Iterable<FolderId>, recursive: boolean): Range[] {
    const named = [...folderIds].flatMap((id): Range[] => {
      const number = this.numberOf(id)
      if (number === undefined) return []
      return [recursive ? this.subtree(number) : [number, number + 1]]
    })
    return united(named)
  }
}

/** Ranges without nested ones, ascending. Two subtrees are nested or disjoint. */
export function united(ranges: readonly Range[]): Range[] {
  const found: Range[] = []
  let end = 0
  for (const range of ranges.toSorted(([a], [b]) => a - b)) {
    // A list never has both a folder alone and its subtree, which begin with the same number.
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

/** Contents ids of the folders in these ranges that pass the filter. */
export function contentsIn({ folders }: Layout, ranges: readonly Range[], fits: (number: number) => boolean): ContentsId[] {
  const found: ContentsId[] = []
  for (const [from, to] of ranges) {
    for (let number = from; number < to; number++) if (fits(number)) found.push(contentsOf(folders[number]!))
  }
  return found
}
