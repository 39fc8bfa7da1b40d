import { type Key, type Operations, type TableReader, WriteConflict } from '../../backends/table/port.ts'
import type { Reading, Writing } from '../library.ts'
import { everyItem } from '../pages.ts'
import { retryOnConflict } from '../retry.ts'
import type { CompanyId, FolderId } from '../vocabulary/ids.ts'
import { companyPartition, contentsOf, type FolderRecord, folderClaimKey, folderKey } from './folder.ts'
import { Tree } from './tree.ts'

/**
 * Where trees are kept. Every structural change of a company's tree is one transaction on its version, with an entry in a log of
 * changes; so moves can't make cycles, and a process that knows version n reads only what came since.
 */
export type VersionRecord = Key & { version: number }
type LogRecord = Key & { version: number; put: FolderRecord[]; remove: FolderId[]; ttl: number }

/** Log entries older than this are gone; a process that knows an older version reads the whole tree. */
const LOG_SECONDS = 7 * 86_400
/** Trees of so many companies are kept in memory. */
const CACHED_COMPANIES = 50

export const versionKey = (companyId: CompanyId): Key => ({ pk: companyPartition(companyId), sk: 'TREE' })
const logKey = (companyId: CompanyId, version: number): Key => ({
  pk: companyPartition(companyId),
  sk: `TREE#${String(version).padStart(12, '0')}`,
})

const caches = new WeakMap<TableReader, Map<CompanyId, Promise<Tree>>>()

/** The tree as committed before the call. */
export async function loadTree({ table }: Reading, companyId: CompanyId): Promise<Tree> {
  const record = await table.get<VersionRecord>(versionKey(companyId))
  const version = record?.version ?? 0
  const cache = cacheOf(table)
  const known = await cache.get(companyId)?.catch(() => undefined)
  if (known && known.version >= version) return known
  const loading = known ? refresh(table, known, version) : loadWhole(table, companyId, version)
  remember(cache, companyId, loading)
  return loading
}

/** A change of a tree. */
export interface TreeChange {
  /** Folders to write. */
  put?: FolderRecord[]
  /** Ids of folders to take out. */
  remove?: FolderId[]
  /** What else to do in the same transaction. */
  also?: Operations
}

/**
 * Changes a company's tree. `plan` says what to do with the tree as it is, or nothing; it runs again on the newer tree when another request
 * was faster. @returns the tree after the change
 * @throws Conflict when others were faster every time, ConditionFailed when one of `also` fails, and whatever `plan` throws
 */
export async function changeTree(
  { table, clock, by }: Writing,
  companyId: CompanyId,
  plan: (tree: Tree) => TreeChange | undefined,
): Promise<Tree> {
  const attempt = async () => {
    const tree = await loadTree({ table }, companyId)
    const change = plan(tree)
    if (!change) return tree
    const { put = [], remove = [], also } = change
    const version = tree.version + 1
    const log: LogRecord = { ...logKey(companyId, version), version, put, remove, ttl: Math.floor(clock.now() / 1000) + LOG_SECONDS }
    await table.transact({
      ...also,
      treeVersion: {
        put: { ...versionKey(companyId), version },
        if: tree.version === 0 ? { pk: { exists: false } } : { version: { equals: tree.version } },
      },
      treeLog: { put: log },
      ...Object.fromEntries(put.map((folder) => [`folder ${folder.folderId}`, { put: { ...folder, by } }])),
      ...Object.fromEntries(remove.map((folderId) => [`removed folder ${folderId}`, { delete: folderKey(companyId, folderId) }])),
    })
    const changed = tree.with(version, put, remove)
    remember(cacheOf(table), companyId, Promise.resolve(changed))
    return changed
  }
  return retryOnConflict(attempt, (error) => error instanceof WriteConflict || error.failed('treeVersion'))
}

/** Takes folders out of a company's tree; ids that no folder uses any more are free again. */
export async function removeFolders(library: Writing, companyId: CompanyId, remove: FolderId[]): Promise<void> {
  await changeTree(library, companyId, (tree) => ({ remove, also: releasedClaims(tree, remove) }))
}

/** The claims of ids that no folder uses any more: a purged folder and the record of what it contained have exchanged their contents ids. */
function releasedClaims(tree: Tree, remove: readonly FolderId[]): Operations {
  const rest = tree.with(tree.version, [], remove)
  const ids = new Set(tree.stored(new Set(remove)).flatMap((folder) => [folder.folderId, contentsOf(folder)]))
  const unused = [...ids].filter((id) => !rest.uses(id))
  return Object.fromEntries(unused.map((id) => [`released claim ${id}`, { delete: folderClaimKey(id) }]))
}

function cacheOf(table: TableReader): Map<CompanyId, Promise<Tree>> {
  const cache = caches.get(table) ?? new Map<CompanyId, Promise<Tree>>()
  caches.set(table, cache)
  return cache
}

/** Least recently changed companies go first. */
function remember(cache: Map<CompanyId, Promise<Tree>>, companyId: CompanyId, tree: Promise<Tree>): void {
  cache.delete(companyId)
  cache.set(companyId, tree)
  for (const oldest of cache.keys()) {
    if (cache.size <= CACHED_COMPANIES) break
    cache.delete(oldest)
  }
}

async function refresh(table: TableReader, known: Tree, version: number): Promise<Tree> {
  const { companyId } = known
  const sk = { from: logKey(companyId, known.version + 1).sk, to: logKey(companyId, version).sk }
  const entries = await Array.fromAsync(everyItem<LogRecord>(table, { pk: companyPartition(companyId), sk, consistent: true }))
  const complete = entries.length === version - known.version
  if (!complete) return loadWhole(table, companyId, version)
  const put = new Map<FolderId, FolderRecord>()
  const removed = new Set<FolderId>()
  for (const entry of entries) {
    for (const folder of entry.put) put.set(folder.folderId, folder)
    for (const id of entry.remove) removed.add(id)
  }
  return known.with(version, [...put.values()], [...removed])
}

/**
 * The folders may be newer than the version; applying the log over them again changes nothing. Trees know nothing of who changed a folder:
 * that would take a third more memory.
 */
async function loadWhole(table: TableReader, companyId: CompanyId, version: number): Promise<Tree> {
  const folders = new Map<FolderId, FolderRecord>()
  const query = { pk: companyPartition(companyId), sk: { beginsWith: 'FOLDER#' }, consistent: true }
  for await (const { by: _, ...folder } of everyItem<FolderRecord>(table, query)) folders.set(folder.folderId, folder)
  return new Tree(companyId, version, folders)
}
