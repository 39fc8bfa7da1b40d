import type { CompanyId, FolderId } from '../../vocabulary/ids.ts'
import type { Access, VisibleFolder } from '../access/access.ts'
import type { FolderRecord } from '../tree/folder.ts'
import { comparing, type FolderField } from '../tree/ordering.ts'
import type { Tree } from '../tree/tree.ts'

/** How a list of folders is sorted: by name, ascending, where nothing else is said. Ties are broken by id. */
export interface FolderOrder {
  sortBy?: FolderField
  order?: 'asc' | 'desc'
}

/** Which folders a list is of. Without any of it: all. */
export interface FolderSelection {
  /** Those directly in this folder, or root folders (null). */
  parent?: FolderId | null
  /** Those with one of these ids. */
  ids?: ReadonlySet<FolderId>
}

/**
 * Folders of these companies on which the caller has any right, in one order over all of them. A selection costs what it selects, however
 * many folders there are.
 */
export async function orderedFolders(
  { access }: { access: Access },
  companyIds: readonly CompanyId[],
  { sortBy = 'name', order = 'asc' }: FolderOrder = {},
  selection: FolderSelection = {},
): Promise<VisibleFolder[]> {
  const isAll = selection.parent === undefined && selection.ids === undefined
  const lists = await Promise.all(
    companyIds.map((companyId) =>
      isAll
        ? access.visibleFolders(companyId, (tree) => tree.sortedBy(sortBy))
        : access.visibleOf(companyId, (tree) => selected(tree, selection, sortBy)),
    ),
  )
  const folders = lists.flat()
  if (lists.length > 1) folders.sort(({ record: a }, { record: b }) => comparing(sortBy)(a, b))
  return order === 'desc' ? folders.reverse() : folders
}

function selected(tree: Tree, { parent, ids }: FolderSelection, sortBy: FolderField): readonly FolderRecord[] {
  if (parent !== undefined) {
    const children = tree.children(parent, sortBy)
    return ids ? children.filter(({ folderId }) => ids.has(folderId)) : children
  }
  return [...(ids ?? [])].flatMap((id) => tree.get(id) ?? []).sort(comparing(sortBy))
}

/** Whether a folder's name contains the text, ignoring case and diacritics. */
export function matchesName(text: string, name: string): boolean {
  return fold(name).includes(fold(text.trim()))
}

function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}
