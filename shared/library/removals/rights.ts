import type { CompanyId, UserId } from '../../vocabulary/ids.ts'
import type { Writing } from '../library.ts'
import type { FolderRecord } from '../tree/folder.ts'
import { deletionOf } from '../tree/folder-changes.ts'
import { changeTree, type TreeChange } from '../tree/tree-store.ts'

/** Folders that one transaction changes. */
const FOLDERS_AT_ONCE = 50

/**
 * Takes a user's rights off a company's folders. Idempotent.
 * @param trash what becomes of their trashcan: what lies in one that is kept expires as ever
 */
export async function forgetRights(library: Writing, companyId: CompanyId, userId: UserId, trash: 'keep' | 'delete'): Promise<void> {
  for (let left = true; left; ) {
    await changeTree(library, companyId, (tree) => {
      const changes = [
        ...tree
          .all()
          .flatMap((folder) => withoutUser(library, folder, userId, trash) ?? [])
          .take(FOLDERS_AT_ONCE),
      ]
      left = changes.length > 0
      return left ? { put: changes.flatMap(({ put = [] }) => put), also: Object.assign({}, ...changes.map(({ also }) => also)) } : undefined
    })
  }
}

/** The change by which a folder gives the user nothing; undefined for one that has nothing to do with them. */
function withoutUser(library: Writing, folder: FolderRecord, userId: UserId, trash: 'keep' | 'delete'): TreeChange[] | undefined {
  if (folder.owner === userId && trash === 'delete') return [deletionOf(library, folder)]
  const { [userId]: granted, ...grants } = folder.grants
  const carried = folder.carried?.userId === userId ? undefined : folder.carried
  return granted || carried !== folder.carried ? [{ put: [{ ...folder, grants, carried }] }] : undefined
}
