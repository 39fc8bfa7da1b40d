import { contentsOf, type FolderRecord, parentContentsId } from '../tree/folder.ts'
import type { Tree } from '../tree/tree.ts'

/** The stored folders of a company, with deleted and inconsistent ones. */
export class StoredFolders {
  readonly tree: Tree
  readonly all: readonly FolderRecord[]
  readonly #byContents: ReadonlyMap<ReturnType<typeof contentsOf>, FolderRecord>

  constructor(tree: Tree) {
    this.tree = tree
    this.all = tree.everyStored()
    this.#byContents = new Map(this.all.map((folder) => [contentsOf(folder), folder]))
  }

  withContents(contents: ReturnType<typeof contentsOf>): FolderRecord | undefined {
    return this.#byContents.get(contents)
  }

  above(folder: FolderRecord): FolderRecord | undefined {
    const contents = parentContentsId(folder)
    return contents === null ? undefined : this.#byContents.get(contents)
  }

  /** UNIX milliseconds of the deletion of a folder, or of the next deleted one above it. */
  deletionOf(folder: FolderRecord): number | undefined {
    return this.#upwards(folder).find(({ deleted }) => deleted !== undefined)?.deleted
  }

  isInCycle(folder: FolderRecord): boolean {
    return this.above([...this.#upwards(folder)].at(-1)!) === folder
  }

  /** The folder and those above it, each once. */
  *#upwards(folder: FolderRecord): Generator<FolderRecord> {
    const passed = new Set<FolderRecord>()
    for (let next: FolderRecord | undefined = folder; next && !passed.has(next); next = this.above(next)) {
      passed.add(next)
      yield next
    }
  }
}
