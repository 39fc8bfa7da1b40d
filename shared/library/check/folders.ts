import type { Key, TableReader } from '../../backends/table/port.ts'
import { findCompany } from '../accounts/companies.ts'
import { companyPartition, contentsOf, folderClaimKey } from '../tree/folder.ts'
import type { Tree } from '../tree/tree.ts'
import { loadTree, type VersionRecord, versionKey } from '../tree/tree-store.ts'
import { CompanyFolders } from './company-folders.ts'
import { dueFault, isSwept } from './due.ts'
import type { Library } from './library.ts'
import { type Problem, problem } from './problem.ts'

/** What a deleted folder holds is gone within minutes, at any size within hours: after a day something is stuck. */
const REMOVED_WITHIN_MS = 86_400_000

/** What is wrong with the folders of a company as such. */
export async function lookAtFolders({ table, clock }: Library, company_id: number): Promise<Problem[]> {
  const folders = CompanyFolders.of(await loadTree(table, company_id))
  const stored = folders.tree.everyStored()
  if (stored.length > 0 && !(await findCompany(table, company_id))) return [problem('folders_of_unknown_company', { company_id })]
  const stuck = stored.filter(({ deleted }) => deleted !== undefined && deleted < clock.now() - REMOVED_WITHIN_MS)
  const ids = [...new Set(stored.flatMap((folder) => [folder.folderId, contentsOf(folder)]))]
  const claimed = new Set((await table.getMany(ids.map(folderClaimKey))).map(({ pk }) => pk))
  return [
    ...folders.withoutParent().map(({ folderId: folder_id }) => problem('folder_without_parent', { company_id, folder_id })),
    ...folders.inCycle().map(({ folderId: folder_id }) => problem('folder_in_cycle', { company_id, folder_id })),
    ...stuck.map(({ folderId: folder_id }) => problem('folder_not_removed', { company_id, folder_id })),
    ...stored
      .filter((folder) => !isSwept(folder, folder.deleted !== undefined))
      .map(({ folderId: folder_id }) => problem('folder_removal_not_swept', { company_id, folder_id })),
    ...dueProblems(folders.tree, clock.now()),
    ...ids
      .filter((id) => !claimed.has(folderClaimKey(id).pk))
      .map((folder_id) => problem('folder_without_claim', { company_id, folder_id })),
    ...((await isBehindLog(table, company_id)) ? [problem('tree_version_wrong', { company_id })] : []),
  ]
}

function dueProblems(tree: Tree, now: number): Problem[] {
  return [...tree.all()].flatMap((folder) => {
    const fault = dueFault(folder, folder.parent === null ? undefined : tree.get(folder.parent), now)
    if (!fault) return []
    const ids = { company_id: folder.companyId, folder_id: folder.folderId }
    return [problem(fault === 'wrong' ? 'folder_due_wrong' : 'folder_not_expired', ids)]
  })
}

/** Every change raises the version and writes the log: the version, read after it, is never behind. */
async function isBehindLog(table: TableReader, companyId: number): Promise<boolean> {
  const log = { pk: companyPartition(companyId), sk: { beginsWith: 'TREE#' } }
  const { items } = await table.query<VersionRecord>({ ...log, descending: true, limit: 1, consistent: true })
  const record = await table.get<VersionRecord>(versionKey(companyId))
  return (items[0]?.version ?? 0) > (record?.version ?? 0)
}

/** What is wrong with the claim of a folder's id. */
export async function lookAtFolderClaim({ table }: Library, folder_id: number): Promise<Problem[]> {
  const claim = await table.get<Key & { companyId: number }>(folderClaimKey(folder_id))
  if (!claim) return []
  const { companyId: company_id } = claim
  const tree = await loadTree(table, company_id)
  return tree.uses(folder_id) ? [] : [problem('folder_claim_without_folder', { company_id, folder_id })]
}
