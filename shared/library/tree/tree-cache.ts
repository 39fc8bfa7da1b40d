import type { TableReader } from '../../backends/table/port.ts'
import { RecentlyUsed } from '../../recently-used.ts'
import type { CompanyId } from '../../vocabulary/ids.ts'
import { everyItem } from '../pages.ts'
import { companyPartition, type FolderRecord } from './folder.ts'
import { Tree } from './tree.ts'
import { advanced } from './tree-log.ts'
import { readSnapshot } from './tree-snapshot.ts'

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

/** A company's tree at this version or a newer one: what is in memory, or the last snapshot, with the log since, or all folders. */
export async function wholeTree(table: TableReader, companyId: CompanyId, version: number): Promise<Tree> {
  const cache = TreeCache.of(table)
  const kept = cache.whole(companyId)
  if (kept && kept.version >= version) return kept
  const coming = cache.coming(companyId)
  const known = (await coming?.catch(() => undefined)) ?? kept
  if (known && known.version >= version) return known
  return cache.expect(companyId, newerTree(table, companyId, known, version))
}

async function newerTree(table: TableReader, companyId: CompanyId, known: Tree | undefined, version: number): Promise<Tree> {
  const current = known && (await advanced(table, known, version))
  if (current) return current
  const snapshot = await readSnapshot(table, companyId)
  if (snapshot && snapshot.version >= version) return snapshot
  return (snapshot && (await advanced(table, snapshot, version))) ?? readFolders(table, companyId, version)
}

/**
 * The folders may be newer than the version; applying the log over them again changes nothing. Trees know nothing of who changed a folder:
 * that would take a third more memory.
 */
export async function readFolders(table: TableReader, companyId: CompanyId, version: number): Promise<Tree> {
  const folders: FolderRecord[] = []
  const query = { pk: companyPartition(companyId), sk: { beginsWith: 'FOLDER#' }, consistent: true }
  for await (const { by: _, ...folder } of everyItem<FolderRecord>(table, query)) folders.push(folder)
  return new Tree(companyId, version, folders)
}
