import type { ContentsId, FolderId } from '../../vocabulary/ids.ts'
import { contentsOf, type FolderRecord, hangsOn } from './folder.ts'
import { NumberedFolders } from './numbered-folders.ts'
import { inserted, Positions } from './positions.ts'

/** Numbers from the first up to, but without, the second. */
export type Range = readonly [from: number, to: number]

/** So many new folders are inserted one by one. More take longer than a look at all folders. */
const MOST_INSERTED = 20

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
  readonly #numbers: Positions

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
    const numbers = Positions.of(Int32Array.from(folders, ({ folderId }) => folderId))
    return new Layout(NumberedFolders.of(folders), { trashOwners, ends, numbers })
  }

  /**
   * The same with these records in place of earlier ones, or new; undefined where that can't be told without a look at all folders: where one may
   * lie elsewhere than before, or many are new.
   * @param changed those above before those below
   * @param isAll whether this has every folder that is stored: on a new one of other trees something may hang
   */
  with(changed: readonly FolderRecord[], isAll: boolean): Layout | undefined {
    const fresh = changed.filter(({ folderId }) => this.numberOf(folderId) === undefined)
    if (fresh.length > (isAll ? MOST_INSERTED : 0)) return undefined
    let layout = this.#withRenewed(changed.filter((folder) => !fresh.includes(folder)))
    for (const folder of fresh) layout &&= layout.#withInserted(folder)
    return layout
  }

  #withRenewed(changed: readonly FolderRecord[]): Layout | undefined {
    const renewed: [number: number, folder: FolderRecord][] = []
    let { rightsKey } = this
    for (const folder of changed) {
      const number = this.numberOf(folder.folderId)!
      const before = this.folders.at(number)
      if (!hasSamePlace(folder, before)) return undefined
      if (!hasSameGrants(folder, before)) rightsKey = {}
      renewed.push([number, folder])
    }
    const shape = { trashOwners: this.trashOwners, ends: this.#ends, numbers: this.#numbers }
    return new Layout(this.folders.with(renewed), shape, rightsKey)
  }

  /** With a folder that contains nothing, as the last one in its parent. */
  #withInserted(folder: FolderRecord): Layout | undefined {
    const parent = folder.parent === null ? -1 : this.numberOf(folder.parent)
    if (parent === undefined || folder.deleted !== undefined) return undefined
    const contents = parent < 0 ? null : contentsOf(this.folders.at(parent))
    if (hangsOn(folder) !== contents) return undefined
    const number = parent < 0 ? this.folders.length : this.#ends[parent]!
    const owner = folder.system === 'trash' ? (folder.owner ?? 0) : (this.trashOwners[parent] ?? 0)
    const ends = inserted(this.#ends, number, number)
    for (let after = number; after < ends.length; after++) ends[after]!++
    for (let above: number | undefined = parent; above !== undefined && above >= 0; above = this.#parentOf(above)) ends[above]!++
    return new Layout(this.folders.withInserted(number, folder), {
      trashOwners: inserted(this.trashOwners, number, owner),
      ends,
      numbers: this.#numbers.withInserted(folder.folderId, number),
    })
  }

  #parentOf(number: number): number | undefined {
    const { parent } = this.folders.at(number)
    return parent === null ? undefined : this.numberOf(parent)
  }

  /** The number of a folder that is there. */
  numberOf(folderId: FolderId): number | undefined {
    return this.#numbers.find(folderId)
  }

  /** A folder and all below it. */
  subtree(number: number): Range {
    return [number, this.#ends[number]!]
  }

  /** The folders directly in a folder, or at the root (null); undefined where that folder isn't there. */
  children(parent: FolderId | null): FolderRecord[] | undefined {
    const number = parent === null ? -1 : this.numberOf(parent)
    if (number === undefined) return undefined
    const found: FolderRecord[] = []
    const end = parent === null ? this.folders.length : this.#ends[number]!
    for (let child = number + 1; child < end; child = this.#ends[child]!) found.push(this.folders.at(child))
    return found
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
  numbers: Positions
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
