import type { CompanyId, FolderId } from '../../vocabulary/ids.ts'
import { ensureFolder } from '../folders/ensure-folder.ts'
import type { Writing } from '../library.ts'
import type { FolderRecord } from '../tree/folder.ts'

/** Finds or creates folders of a company by name. Looks up each once. */
export class Folders {
  readonly #library: Writing
  readonly #companyId: CompanyId
  readonly #known = new Map<string, Promise<FolderRecord>>()
  readonly #placed = new Set<FolderId>()

  constructor(library: Writing, companyId: CompanyId) {
    this.#library = library
    this.#companyId = companyId
  }

  /** The folder with these names, root first. @throws Invalid, Conflict */
  at(names: readonly string[]): Promise<FolderRecord> {
    const key = JSON.stringify(names)
    const known = this.#known.get(key) ?? this.#ensure(names)
    this.#known.set(key, known)
    return known
  }

  /**
   * A folder under a parent. Each call returns another folder, also for equal names.
   * @param how.folderId wanted id of a created folder
   * @param how.created its time of creation, in UNIX milliseconds
   * @throws Invalid, Conflict
   */
  async place(name: string, parent: FolderId | null, how: { folderId?: FolderId; created: number }): Promise<FolderRecord> {
    const wanted = { companyId: this.#companyId, name, parent, excluded: this.#placed, ...how }
    const folder = await ensureFolder(this.#library, wanted)
    this.#placed.add(folder.folderId)
    return folder
  }

  async #ensure(names: readonly string[]): Promise<FolderRecord> {
    const parent = names.length > 1 ? (await this.at(names.slice(0, -1))).folderId : null
    return ensureFolder(this.#library, { companyId: this.#companyId, name: names.at(-1)!, parent })
  }
}
