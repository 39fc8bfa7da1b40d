import type { FolderId } from '../../vocabulary/ids.ts'
import type { FolderRecord } from './folder.ts'
import { Positions } from './positions.ts'

/**
 * Folders by id. Never changed: `with` makes another map, which has most in common with this one. So a change of one among n folders costs
 * about √n steps instead of a copy of all.
 */
export class FolderMap {
  readonly #base: readonly FolderRecord[]
  /** Where in the base each folder is. */
  readonly #positions: Positions
  /** What differs from the base; undefined where a folder of it is taken out. */
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
    for (const folder of this.#base) if (!this.#changed.has(folder.folderId)) yield folder
    for (const folder of this.#changed.values()) if (folder) yield folder
  }

  /** These folders with some replaced or added, and some taken out. */
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
