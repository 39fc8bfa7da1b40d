import type { Key, Operation, Operations, TableReader } from '../../backends/table/port.ts'
import type { CompanyId, FolderId } from '../../vocabulary/ids.ts'
import { everyItem } from '../pages.ts'
import { companyPartition, type FolderRecord } from './folder.ts'
import type { Tree } from './tree.ts'

/** What is known of a company's tree without reading a folder. */
export type VersionRecord = Key & {
  version: number
  /** How many folders the changes have written and taken out in all; trees of earlier versions didn't count. */
  changed?: number
}
type LogRecord = Key & { version: number; put: FolderRecord[]; remove: FolderId[] }

/**
 * So many versions are in the log: a change takes out the one that is as old. It has to reach back to the snapshot before the last
 * (tree-snapshot.ts), however long nothing changes.
 */
export const KEPT_VERSIONS = 2_000

export const versionKey = (companyId: CompanyId): Key => ({ pk: companyPartition(companyId), sk: 'TREE' })
const logKey = (companyId: CompanyId, version: number): Key => ({
  pk: companyPartition(companyId),
  sk: `TREE#${String(version).padStart(12, '0')}`,
})

/** Which version a company's tree has; 0 before the first folder. */
export async function readVersion(table: TableReader, companyId: CompanyId): Promise<VersionRecord> {
  return (await table.get<VersionRecord>(versionKey(companyId))) ?? { ...versionKey(companyId), version: 0 }
}

/** What leads from a version to the next. */
export interface LoggedChange {
  put: FolderRecord[]
  remove: FolderId[]
}

/** The operations that raise a tree's version. `treeVersion` fails where another change was faster. @param version that it had */
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

/** A tree, or a part of one, as it was at a newer version; undefined where the log doesn't reach back to it. */
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
