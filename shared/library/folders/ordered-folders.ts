import type { Access, VisibleFolder } from '../access/access.ts'
import { comparing, type FolderField } from './ordering.ts'

/** How a list of folders is sorted: by name, ascending, where nothing else is said. Ties are broken by id. */
export interface FolderOrder {
  sortBy?: FolderField
  order?: 'asc' | 'desc'
}

/** All folders of these companies on which the caller has any right, in one order over all of them. */
export async function orderedFolders(
  access: Access,
  companyIds: readonly number[],
  { sortBy = 'name', order = 'asc' }: FolderOrder = {},
): Promise<VisibleFolder[]> {
  const lists = await Promise.all(companyIds.map((companyId) => access.visibleFolders(companyId, (tree) => tree.sortedBy(sortBy))))
  const folders = lists.flat()
  if (lists.length > 1) folders.sort(({ record: a }, { record: b }) => comparing(sortBy)(a, b))
  return order === 'desc' ? folders.reverse() : folders
}
