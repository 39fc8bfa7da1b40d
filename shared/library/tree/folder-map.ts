import type { FolderId } from '../../vocabulary/ids.ts'
import type { FolderRecord } from './folder.ts'

/** Positions of ids in a list. A Map of 100,000 takes five times as much memory, and grows by copying. */
export class Positions {
  /** Ascending. */
  readonly #ids: Int32Array
  readonly #positions: Int32Array

  private constructor(ids: Int32Array, positions: Int32Array) {
    this.#ids = ids
    this.#positions = positions
  }

  /** @param list each id once */
  static of(list: ArrayLike<number>): Positions {
    const { length } = list
    // One number for id and position sorts without a comparator. Exact for any id, up to four million of them.
    const pairs = new Float64Array(length)
    for (let position = 0; position < length; position++) pairs[position] = list[position]! * length + position
    pairs.sort()
    const [ids, positions] = [new Int32Array(length), new Int32Array(length)]
    for (let at = 0; at < length; at++) {
      const position = pairs[at]! % length
      positions[at] = position
      ids[at] = (pairs[at]! - position) / length
    }
    return new Positions(ids, positions)
  }

  /** The position of an id; undefined where it isn't in the list. */
  find(id: number): number | undefined {
    let [low, high] = [0, this.#ids.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#ids[middle]! < id) low = middle + 1
      else high = middle
    }
    return this.#ids[low] === id ? this.#positions[low] : undefined
  }
}

/**
 * Folders by id, immutable. `with` makes another map that shares most of this one, so a change of one among n folders costs about √n steps.
 */
export class FolderMap {
  readonly #base: readonly FolderRecord[]
  /** Positions of folders in the base. */
  readonly #positions: Positions
  /** Differences from the base; undefined for a removed folder. */
  readonly #changed: ReadonlyMap<FolderId, FolderRecord | undefined>

  private constructor(base: readonly FolderRecord[], positions: Positions, changed: ReadonlyMap<FolderId, FolderRecord | undefined>) {
    this.#base = base
    this.#positions = positions
    this.#changed = changed
  }

  /** @param folders each once */
  static of(folders: readonly FolderRecord[]): FolderMap {
    return new FolderMap(folders, Positions.of(Int32Array.from(folders, ({ folderId }) => folderId)), new Map())
  }

  get size(): number {
    let size = this.#base.length
    for (const [id, folder] of this.#changed) size += Number(folder !== undefined) - Number(this.#inBase(id) !== undefined)
    return size
  }

  get(id: FolderId): FolderRecord | undefined {
    return this.#changed.get(id) ?? (this.#changed.has(id) ? undefined : this.#inBase(id))
  }

  *values(): Generator<FolderRecord> {
    // In the order of the base, so a change moves no folder.
    for (const before of this.#base) {
      const folder = this.#changed.has(before.folderId) ? this.#changed.get(before.folderId) : before
      if (folder) yield folder
    }
    for (const [id, folder] of this.#changed) if (folder && this.#inBase(id) === undefined) yield folder
  }

  /** A copy with folders replaced or added, and others removed. */
  with(put: readonly FolderRecord[], remove: readonly FolderId[]): FolderMap {
    const changed = new Map(this.#changed)
    for (const folder of put) changed.set(folder.folderId, folder)
    for (const id of remove) changed.set(id, undefined)
    const map = new FolderMap(this.#base, this.#positions, changed)
    return changed.size ** 2 <= this.#base.length ? map : FolderMap.of([...map.values()])
  }

  #inBase(id: FolderId): FolderRecord | undefined {
    const position = this.#positions.find(id)
    return position === undefined ? undefined : this.#base[position]
  }
}
