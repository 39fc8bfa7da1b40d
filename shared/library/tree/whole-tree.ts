import type { TableReader } from '../../backends/table/port.ts'
import type { CompanyId } from '../../vocabulary/ids.ts'
import { everyItem } from '../pages.ts'
import { companyPartition, type FolderRecord } from './folder.ts'
import { Tree } from './tree.ts'
import { TreeCache } from './tree-cache.ts'
import { advanced } from './tree-log.ts'
import { readSnapshot } from './tree-snapshot.ts'

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
