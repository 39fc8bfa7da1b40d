import type { FolderId } from '../vocabulary/ids.ts'
import type { FolderRecord } from './folder.ts'

/**
 * Folders by id. Never changed: `with` makes another map, which has most in common with this one. So a change of one among n folders costs
 * about √n steps instead of a copy of all.
 */
export class FolderMap {
  readonly #base: ReadonlyMap<FolderId, FolderRecord>
  /** What differs from the base; undefined where a folder of it is taken out. */
  readonly #changed: ReadonlyMap<FolderId, FolderRecord | undefined>

  constructor(base: ReadonlyMap<FolderId, FolderRecord>, changed: ReadonlyMap<FolderId, FolderRecord | undefined> = new Map()) {
    this.#base = base
    this.#changed = changed
  }

  get size(): number {
    let { size } = this.#base
    for (const [id, folder] of this.#changed) size += Number(folder !== undefined) - Number(this.#base.has(id))
    return size
  }

  get(id: FolderId): FolderRecord | undefined {
    return this.#changed.get(id) ?? (this.#changed.has(id) ? undefined : this.#base.get(id))
  }

  *values(): Generator<FolderRecord> {
    for (const folder of this.#base.values()) if (!this.#changed.has(folder.folderId)) yield folder
    for (const folder of this.#changed.values()) if (folder) yield folder
  }

  /** These folders with some replaced or added, and some taken out. */
  with(put: readonly FolderRecord[], remove: readonly FolderId[]): FolderMap {
    const changed = new Map(this.#changed)
    for (const folder of put) changed.set(folder.folderId, folder)
    for (const id of remove) changed.set(id, undefined)
    if (changed.size ** 2 <= this.#base.size) return new FolderMap(this.#base, changed)
    const all = new Map(this.#base)
    for (const [id, folder] of changed) {
      if (folder) all.set(id, folder)
      else all.delete(id)
    }
    return new FolderMap(all)
  }
}
