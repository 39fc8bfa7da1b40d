import type { CompanyId, UserId } from '../../vocabulary/ids.ts'
import type { Writing } from '../library.ts'
import type { FolderRecord } from '../tree/folder.ts'
import { deletionOf } from '../tree/folder-changes.ts'
import { changeTree, type TreeChange } from '../tree/tree-store.ts'

/** Folders that one transaction changes. */
const FOLDERS_AT_ONCE = 50

/**
 * Removes a user's rights on a company's folders. Idempotent.
 * @param trash whether to delete their trashcan. The contents of a kept one expire as usual
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

/** The change that removes the user from a folder; undefined if the folder doesn't mention them. */
function withoutUser(library: Writing, folder: FolderRecord, userId: UserId, trash: 'keep' | 'delete'): TreeChange[] | undefined {
  if (folder.owner === userId && trash === 'delete') return [deletionOf(library, folder)]
  const { [userId]: granted, ...grants } = folder.grants
  const carried = folder.carried?.userId === userId ? undefined : folder.carried
  return granted || carried !== folder.carried ? [{ put: [{ ...folder, grants, carried }] }] : undefined
}
