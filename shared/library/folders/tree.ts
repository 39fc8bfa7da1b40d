import type { FolderRecord } from './folder.ts'

/** All folders of one company at one version. Never changed: a newer version is a new tree. */
export class Tree {
  readonly companyId: number
  readonly version: number
  readonly #folders: ReadonlyMap<number, FolderRecord>
  #children: Map<number | null, FolderRecord[]> | undefined
  readonly #chains = new Map<number, readonly FolderRecord[] | null>()

  constructor(companyId: number, version: number, folders: ReadonlyMap<number, FolderRecord>) {
    this.companyId = companyId
    this.version = version
    this.#folders = folders
  }

  /** The tree with some folders replaced or added, and some taken out. */
  with(version: number, put: readonly FolderRecord[], remove: readonly number[] = []): Tree {
    const folders = new Map(this.#folders)
    for (const folder of put) folders.set(folder.folderId, folder)
    for (const id of remove) folders.delete(id)
    return new Tree(this.companyId, version, folders)
  }

  /** A folder that is there: neither it nor a folder above it is deleted. */
  get(id: number): FolderRecord | undefined {
    return this.chain(id) ? this.#folders.get(id) : undefined
  }

  /** The folder and all above it, root last; undefined when one of them is deleted or missing. */
  chain(id: number): readonly FolderRecord[] | undefined {
    const known = this.#chains.get(id)
    if (known !== undefined) return known ?? undefined
    const folder = this.#folders.get(id)
    // An id on its way is marked as unreachable, so that a cycle (which no write can make) could not loop for ever.
    this.#chains.set(id, null)
    if (!folder || folder.deleted !== undefined) return undefined
    const above = folder.parent === null ? [] : this.chain(folder.parent)
    if (!above) return undefined
    const chain = [folder, ...above]
    this.#chains.set(id, chain)
    return chain
  }

  /** Whether `id` is `ancestor` or lies below it. */
  isWithin(id: number, ancestor: number): boolean {
    return this.chain(id)?.some((folder) => folder.folderId === ancestor) ?? false
  }

  /** Every folder that is there, in no particular order. */
  *all(): Generator<FolderRecord> {
    for (const folder of this.#folders.values()) if (this.chain(folder.folderId)) yield folder
  }

  /** Ids of all folders that are stored, deleted ones too. */
  ids(): number[] {
    return [...this.#folders.keys()]
  }

  /** The folder and everything stored below it, deleted or not: what a removal has to take away. Parents come before children. */
  subtree(id: number): FolderRecord[] {
    this.#children ??= Map.groupBy(this.#folders.values(), (folder) => folder.parent)
    const root = this.#folders.get(id)
    const found = root ? [root] : []
    for (let next = 0; next < found.length; next++) found.push(...(this.#children.get(found[next]!.folderId) ?? []))
    return found
  }
}
