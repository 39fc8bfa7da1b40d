import type { Key, Operation, Operations, TableReader } from '../../backends/table/port.ts'
import { RecentlyUsed } from '../../recently-used.ts'
import type { CompanyId, FolderId } from '../../vocabulary/ids.ts'
import { everyItem } from '../pages.ts'
import { perTable } from '../per-table.ts'
import { companyPartition, type FolderRecord } from './folder.ts'
import { Tree } from './tree.ts'
import { readSnapshot } from './tree-snapshot.ts'

/** The version of a company's tree. */
export type VersionRecord = Key & {
  version: number
  /** Number of folders written and removed by all changes. */
  changed: number
}
type LogRecord = Key & { version: number; put: FolderRecord[]; remove: FolderId[] }

/**
 * Versions in the log: each change removes the oldest. The log must reach back to the snapshot before the last (tree-snapshot.ts).
 */
export const KEPT_VERSIONS = 2_000

export const versionKey = (companyId: CompanyId): Key => ({ pk: companyPartition(companyId), sk: 'TREE' })
const logKey = (companyId: CompanyId, version: number): Key => ({
  pk: companyPartition(companyId),
  sk: `TREE#${String(version).padStart(12, '0')}`,
})

/** The version of a company's tree; 0 before the first folder. */
export async function readVersion(table: TableReader, companyId: CompanyId): Promise<VersionRecord> {
  return (await table.get<VersionRecord>(versionKey(companyId))) ?? { ...versionKey(companyId), version: 0, changed: 0 }
}

/** The change from a version to the next. */
interface LoggedChange {
  put: FolderRecord[]
  remove: FolderId[]
}

/** The operations that raise a tree's version. `treeVersion` fails if another change was faster. @param version the current version */
export function nextVersion({ companyId, version }: Pick<Tree, 'companyId' | 'version'>, { put, remove }: LoggedChange): Operations {
  const next = version + 1
  const log: LogRecord = { ...logKey(companyId, next), version: next, put, remove }
  const treeVersion: Operation = {
    update: versionKey(companyId),
    changes: { set: { version: next }, add: { changed: put.length + remove.length } },
    if: version === 0 ? { pk: { exists: false } } : { version: { equals: version } },
  }
  const outdated = next - KEPT_VERSIONS
  return { treeVersion, treeLog: { put: log }, ...(outdated > 0 && { outdatedTreeLog: { delete: logKey(companyId, outdated) } }) }
}

/** Brings a tree, or a part of one, to a newer version. Undefined if the log doesn't reach back far enough. */
export async function advanced(table: TableReader, tree: Tree, version: number): Promise<Tree | undefined> {
  const { companyId } = tree
  if (version === tree.version) return tree
  if (version > tree.version + KEPT_VERSIONS) return undefined
  const sk = { from: logKey(companyId, tree.version + 1).sk, to: logKey(companyId, version).sk }
  const entries = await Array.fromAsync(everyItem<LogRecord>(table, { pk: companyPartition(companyId), sk, consistent: true }))
  if (entries.length !== version - tree.version) return undefined
  const put = new Map<FolderId, FolderRecord>()
  const removed = new Set<FolderId>()
  for (const entry of entries) {
    for (const folder of entry.put) {
      put.set(folder.folderId, folder)
      removed.delete(folder.folderId)
    }
    for (const id of entry.remove) {
      put.delete(id)
      removed.add(id)
    }
  }
  return tree.with(version, [...put.values()], [...removed])
}

/** Capacity in bytes: a quarter of the process's memory limit. */
const capacityOfProcess = () => process.getBuiltinModule('node:v8').getHeapStatistics().heap_size_limit / 4

/** Trees and parts of trees in memory. The least recently used are evicted first. */
export class TreeCache {
  static readonly of = perTable(() => new TreeCache())
  readonly #kept: RecentlyUsed<Tree>
  /** Whole trees that are being read. */
  readonly #reads = new Map<CompanyId, Promise<Tree>>()

  /** @param capacity in bytes, by the trees' own estimates */
  constructor(capacity = capacityOfProcess()) {
    this.#kept = new RecentlyUsed(capacity, ({ bytes }) => bytes)
  }

  /** A company's tree at some version. */
  whole(companyId: CompanyId): Tree | undefined {
    return this.#kept.get(`whole ${companyId}`)
  }

  /** Some folders of a company at some version, with their ancestors. */
  part(companyId: CompanyId): Tree | undefined {
    return this.#kept.get(`part ${companyId}`)
  }

  /** Keeps a tree, or a part of one, unless a newer one is kept. */
  keep(tree: Tree): void {
    const { companyId, isPart, version } = tree
    const known = isPart ? this.part(companyId) : this.whole(companyId)
    if (!known || known.version <= version) this.#kept.set(`${isPart ? 'part' : 'whole'} ${companyId}`, tree)
  }

  /** The running read of a company's tree, which concurrent callers share. */
  runningRead(companyId: CompanyId): Promise<Tree> | undefined {
    return this.#reads.get(companyId)
  }

  /** Registers a running read, and keeps its tree. */
  async keepRead(companyId: CompanyId, tree: Promise<Tree>): Promise<Tree> {
    this.#reads.set(companyId, tree)
    try {
      const read = await tree
      this.keep(read)
      return read
    } finally {
      if (this.#reads.get(companyId) === tree) this.#reads.delete(companyId)
    }
  }
}

/** A company's tree at this version or a newer one: from memory or the last snapshot, with the log since, or from all folders. */
export async function wholeTree(table: TableReader, companyId: CompanyId, version: number): Promise<Tree> {
  const cache = TreeCache.of(table)
  const kept = cache.whole(companyId)
  if (kept && kept.version >= version) return kept
  const running = cache.runningRead(companyId)
  const known = (await running?.catch(() => undefined)) ?? kept
  if (known && known.version >= version) return known
  return cache.keepRead(companyId, newerTree(table, companyId, known, version))
}

async function newerTree(table: TableReader, companyId: CompanyId, known: Tree | undefined, version: number): Promise<Tree> {
  const current = known && (await advanced(table, known, version))
  if (current) return current
  const snapshot = await readSnapshot(table, companyId)
  if (snapshot && snapshot.version >= version) return snapshot
  return (snapshot && (await advanced(table, snapshot, version))) ?? readFolders(table, companyId, version)
}

/**
 * Reads all folders. They may be newer than the version: applying the log again is idempotent. Drops `by`, which would take a third more
 * memory.
 */
export async function readFolders(table: TableReader, companyId: CompanyId, version: number): Promise<Tree> {
  const folders: FolderRecord[] = []
  const query = { pk: companyPartition(companyId), sk: { beginsWith: 'FOLDER#' }, consistent: true }
  for await (const { by: _, ...folder } of everyItem<FolderRecord>(table, query)) folders.push(folder)
  return new Tree(companyId, version, folders)
}
