import type { CompanyId } from '../../vocabulary/ids.ts'
import { findCompany } from '../accounts/companies.ts'
import type { Reading } from '../library.ts'
import { parentContentsId } from '../tree/folder.ts'
import { removalKey } from '../tree/folder-changes.ts'
import { type VersionRecord, versionKey } from '../tree/tree-log.ts'
import { loadStoredTree } from '../tree/tree-store.ts'
import { dueFault } from './due.ts'
import { idIn } from './keys.ts'
import type { Library } from './library.ts'
import { type Problem, problem } from './problem.ts'
import { StoredFolders } from './stored-folders.ts'

/** The contents of a deleted folder are removed within minutes or, of very many files, hours: after a day something is stuck. */
const REMOVED_WITHIN_MS = 86_400_000

/** Yields the problems of the folders of a company, but for the claims of their ids. @param partition of the company */
export async function* checkFolders(library: Library, partition: string): AsyncGenerator<Problem> {
  const { table, clock } = library
  const company_id = idIn<CompanyId>(partition)
  // Every change raises the version and writes the log: the version, read after it, is never behind.
  const log = { pk: partition, sk: { beginsWith: 'TREE#' }, descending: true, limit: 1, consistent: true }
  const [last] = (await table.query<VersionRecord>(log)).items
  const version = await table.get<VersionRecord>(versionKey(company_id))
  const folders = new StoredFolders(await loadStoredTree(library, company_id))
  if (folders.all.length > 0 && !(await findCompany(library, company_id))) {
    return yield problem('folders_of_unknown_company', { company_id })
  }
  if ((last?.version ?? 0) > (version?.version ?? 0)) yield problem('tree_version_wrong', { company_id })
  for (const folder of folders.all) {
    const { folderId, deleted } = folder
    const ids = { company_id, folder_id: folderId }
    if (parentContentsId(folder) !== null && !folders.above(folder)) yield problem('folder_without_parent', ids)
    if (folders.isInCycle(folder)) yield problem('folder_in_cycle', ids)
    if (deleted !== undefined && deleted < clock.now() - REMOVED_WITHIN_MS) yield problem('folder_not_removed', ids)
    if (deleted !== undefined && !(await table.get(removalKey({ folderId })))) yield problem('folder_removal_without_job', ids)
    if (!folders.tree.get(folderId)) continue
    const fault = dueFault(folder, folders.above(folder), clock.now())
    if (fault) yield problem(fault === 'wrong' ? 'folder_due_wrong' : 'folder_not_expired', ids)
  }
}

/** The folders of a company; undefined for an unknown one. */
export async function readFolders(library: Reading, companyId: CompanyId): Promise<StoredFolders | undefined> {
  const [company, tree] = await Promise.all([findCompany(library, companyId), loadStoredTree(library, companyId)])
  return company && new StoredFolders(tree)
}
