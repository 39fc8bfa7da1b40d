import type { TableReader } from '../../backends/table/port.ts'
import { RecentlyUsed } from '../../recently-used.ts'
import type { CompanyId } from '../../vocabulary/ids.ts'
import type { Tree } from './tree.ts'

/** Trees may take so many bytes of a process: a quarter of what its memory is limited to. */
const capacityOfProcess = () => process.getBuiltinModule('node:v8').getHeapStatistics().heap_size_limit / 4

/** The trees that a process keeps in memory, whole and in parts. The least recently used go first. */
export class TreeCache {
  static readonly #ofTables = new WeakMap<TableReader, TreeCache>()
  readonly #kept: RecentlyUsed<Tree>
  /** Whole trees that are being read. */
  readonly #coming = new Map<CompanyId, Promise<Tree>>()

  /** @param capacity in bytes, as trees tell them */
  constructor(capacity = capacityOfProcess()) {
    this.#kept = new RecentlyUsed(capacity, ({ bytes }) => bytes)
  }

  static of(table: TableReader): TreeCache {
    const committed = table.origin ?? table
    const cache = TreeCache.#ofTables.get(committed) ?? new TreeCache()
    TreeCache.#ofTables.set(committed, cache)
    return cache
  }

  /** A company's tree at some version. */
  whole(companyId: CompanyId): Tree | undefined {
    return this.#kept.get(`whole ${companyId}`)
  }

  /** Some folders of a company at some version, each with all above it. */
  part(companyId: CompanyId): Tree | undefined {
    return this.#kept.get(`part ${companyId}`)
  }

  /** Keeps a tree, or a part of one, unless a newer one is there. */
  keep(tree: Tree): void {
    const { companyId, isPart, version } = tree
    const known = isPart ? this.part(companyId) : this.whole(companyId)
    if (!known || known.version <= version) this.#kept.set(`${isPart ? 'part' : 'whole'} ${companyId}`, tree)
  }

  /** A company's tree that is being read. All who need it meanwhile wait for it. */
  coming(companyId: CompanyId): Promise<Tree> | undefined {
    return this.#coming.get(companyId)
  }

  /** Keeps the tree when it is there. */
  async expect(companyId: CompanyId, tree: Promise<Tree>): Promise<Tree> {
    this.#coming.set(companyId, tree)
    try {
      const read = await tree
      this.keep(read)
      return read
    } finally {
      if (this.#coming.get(companyId) === tree) this.#coming.delete(companyId)
    }
  }
}
