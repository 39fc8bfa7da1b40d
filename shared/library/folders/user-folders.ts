import type { UserId } from '../../vocabulary/ids.ts'
import { Access, type VisibleFolder } from '../access/access.ts'
import type { UserCaller } from '../access/caller.ts'
import { isSelf, supervisedUser } from '../access/people.ts'
import type { Reading } from '../library.ts'
import { trashOwner } from '../tree/tree.ts'
import { orderedFolders } from './ordered-folders.ts'

/** The folders that a user sees. */
export interface UserFolders {
  /** `Access.folderVersions`: equal versions mean an equal list. */
  versions: readonly (number | string)[]
  /** Reads the list. */
  read(): Promise<VisibleFolder[]>
}

/**
 * The folders that a user sees, sorted by name. The caller's own list covers all their companies. Another user's list covers the companies
 * that the caller administers, without the user's trashcans and their contents.
 * @throws NotFound, Forbidden
 */
export async function foldersOfUser(library: Reading & { access: Access<UserCaller> }, userId: UserId): Promise<UserFolders> {
  const { table, access } = library
  const { user, companyIds } = await supervisedUser(library, userId)
  if (isSelf(library, userId)) {
    return { versions: await access.folderVersions(companyIds), read: () => orderedFolders(library, companyIds) }
  }
  const theirs = new Access(table, { ...access.caller, user })
  return {
    versions: await theirs.folderVersions(companyIds),
    async read() {
      const folders = await orderedFolders({ access: theirs }, companyIds)
      const trees = new Map(await Promise.all(companyIds.map(async (companyId) => [companyId, await theirs.tree(companyId)] as const)))
      return folders.filter(({ record }) => trashOwner(trees.get(record.companyId)!, record) === undefined)
    },
  }
}
