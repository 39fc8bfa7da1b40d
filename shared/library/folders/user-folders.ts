import type { TableReader } from '../../backends/table/port.ts'
import { Access, type VisibleFolder } from '../access/access.ts'
import type { UserCaller } from '../access/caller.ts'
import { isSelf, supervisedUser } from '../access/people.ts'
import { trashOwner } from '../tree/tree.ts'
import { orderedFolders } from './ordered-folders.ts'

/**
 * The folders that a user sees, by name: the caller's own in all their companies; those of somebody else in the companies that the caller
 * is admin of, but for their trashcans and what lies there.
 * @throws NotFound, Forbidden
 */
export async function foldersOfUser(table: TableReader, caller: UserCaller, userId: number): Promise<VisibleFolder[]> {
  const access = new Access(table, caller)
  const { user, companyIds } = await supervisedUser(table, access, userId)
  if (isSelf(access, userId)) return orderedFolders(access, companyIds)
  const theirs = new Access(table, { ...caller, user })
  const folders = await orderedFolders(theirs, companyIds)
  const trees = new Map(await Promise.all(companyIds.map(async (companyId) => [companyId, await theirs.tree(companyId)] as const)))
  return folders.filter(({ record }) => trashOwner(trees.get(record.companyId)!, record) === undefined)
}
