import { contentsOf, type FolderRecord, hangsOn } from '../tree/folder.ts'
import type { Tree } from '../tree/tree.ts'

/** Where something is that refers to a folder: in one that is there, in one deleted at a time (UNIX milliseconds), or nowhere. */
export type Place = 'there' | 'nowhere' | { deleted: number }

const known = new WeakMap<Tree, CompanyFolders>()

/** The folders of a company as they are stored, deleted ones too, and how they hang together. */
export class CompanyFolders {
  readonly tree: Tree
  readonly #byContents: ReadonlyMap<number, FolderRecord>
  readonly #places = new Map<number, Place>()

  private constructor(tree: Tree) {
    this.tree = tree
    this.#byContents = new Map(tree.everyStored().map((folder) => [contentsOf(folder), folder]))
  }

  static of(tree: Tree): CompanyFolders {
    const folders = known.get(tree) ?? new CompanyFolders(tree)
    known.set(tree, folders)
    return folders
  }

  /** Where what refers to a folder by this contents id is. */
  place(contents: number): Place {
    const place = this.#places.get(contents) ?? this.#find(contents)
    this.#places.set(contents, place)
    return place
  }

  /** Folders that hang on one that isn't stored. */
  withoutParent(): FolderRecord[] {
    return this.tree.everyStored().filter((folder) => hangsOn(folder) !== null && !this.#above(folder))
  }

  /** Folders that lie below themselves. */
  inCycle(): FolderRecord[] {
    const rooted = new Set<FolderRecord>()
    return this.tree.everyStored().filter((folder) => {
      const way = this.#upwards(folder, rooted)
      const last = way.at(-1)!
      const above = rooted.has(last) ? undefined : this.#above(last)
      if (!above) for (const each of way) rooted.add(each)
      return above === folder
    })
  }

  #find(contents: number): Place {
    const folder = this.#byContents.get(contents)
    if (!folder) return 'nowhere'
    const deleted = this.#upwards(folder).find((above) => above.deleted !== undefined)?.deleted
    return deleted === undefined ? 'there' : { deleted }
  }

  #above(folder: FolderRecord): FolderRecord | undefined {
    const contents = hangsOn(folder)
    return contents === null ? undefined : this.#byContents.get(contents)
  }

  /** A folder and those above it, until there is none, one of `stop`, or one that was passed already. */
  #upwards(folder: FolderRecord, stop: ReadonlySet<FolderRecord> = new Set()): FolderRecord[] {
    const way = new Set<FolderRecord>()
    for (let next: FolderRecord | undefined = folder; next && !way.has(next); next = this.#above(next)) {
      way.add(next)
      if (stop.has(next)) break
    }
    return [...way]
  }
}
