import type { FolderId } from '../../vocabulary/ids.ts'
import type { FolderRecord } from './folder.ts'

/** Folders by id, immutable. `with` makes a map that shares most of this one, so changing one of n folders takes about √n steps. */
export class FolderMap {
  readonly #base: ReadonlyMap<FolderId, FolderRecord>
  /** Differences from the base; undefined for a removed folder. */
  readonly #changed: ReadonlyMap<FolderId, FolderRecord | undefined>

  private constructor(base: ReadonlyMap<FolderId, FolderRecord>, changed: ReadonlyMap<FolderId, FolderRecord | undefined>) {
    this.#base = base
    this.#changed = changed
  }

  /** @param folders each once */
  static of(folders: Iterable<FolderRecord>): FolderMap {
    return new FolderMap(new Map(Iterator.from(folders).map((folder) => [folder.folderId, folder])), new Map())
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
    // The base gives the order, so that changes move no folder.
    for (const before of this.#base.values()) {
      const folder = this.#changed.has(before.folderId) ? this.#changed.get(before.folderId) : before
      if (folder) yield folder
    }
    for (const [id, folder] of this.#changed) if (folder && !this.#base.has(id)) yield folder
  }

  /** A copy with folders replaced or added, and others removed. */
  with(put: readonly FolderRecord[], remove: readonly FolderId[]): FolderMap {
    const changed = new Map(this.#changed)
    for (const folder of put) changed.set(folder.folderId, folder)
    for (const id of remove) changed.set(id, undefined)
    const map = new FolderMap(this.#base, changed)
    return changed.size ** 2 <= this.#base.size ? map : FolderMap.of(map.values())
  }
}
