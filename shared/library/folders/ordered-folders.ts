import { decomposed, folded } from '../../vocabulary/folding.ts'
import type { CompanyId, FolderId } from '../../vocabulary/ids.ts'
import { asOne, asTwo, readings } from '../../vocabulary/spelling.ts'
import type { Access, VisibleFolder } from '../access/access.ts'
import type { FolderRecord } from '../tree/folder.ts'
import { comparing, type FolderField } from '../tree/ordering.ts'
import type { Tree } from '../tree/tree.ts'
import { topFolders } from './child-folders.ts'

/** Order of a list of folders. By default by name, ascending. Ids break ties. */
export interface FolderOrder {
  sortBy?: FolderField
  order?: 'asc' | 'desc'
}

/** Which folders a list contains. All by default. */
export interface FolderSelection {
  /** Direct subfolders of this folder, root folders (null), or the topmost folders on which the caller has a right, trashcans last. */
  parent?: FolderId | null | 'top'
  /** Only folders with these ids. */
  ids?: ReadonlySet<FolderId>
}

/**
 * Folders of these companies on which the caller has any right, in one order over all companies. The cost of a selection depends on its
 * size, not on the number of all folders.
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
        : selection.parent === 'top'
          ? top(access, companyId, selection)
          : access.visibleOf(companyId, (tree) => selected(tree, selection, sortBy)),
    ),
  )
  const folders = lists.flat()
  if (lists.length > 1 || selection.parent === 'top') folders.sort(({ record: a }, { record: b }) => comparing(sortBy)(a, b))
  if (order === 'desc') folders.reverse()
  return selection.parent === 'top' ? folders.sort((a, b) => trash(a) - trash(b)) : folders
}

const trash = ({ record }: VisibleFolder): number => Number(record.system === 'trash')

async function top(access: Access, companyId: CompanyId, { ids }: FolderSelection): Promise<VisibleFolder[]> {
  const folders = await topFolders({ access }, companyId)
  return access.visibleOf(companyId, () => folders.filter(({ folderId }) => ids?.has(folderId) ?? true))
}

function selected(tree: Tree, { parent, ids }: FolderSelection, sortBy: FolderField): readonly FolderRecord[] {
  if (parent !== undefined && parent !== 'top') {
    const children = tree.children(parent, sortBy)
    return ids ? children.filter(({ folderId }) => ids.has(folderId)) : children
  }
  return [...(ids ?? [])].flatMap((id) => tree.get(id) ?? []).sort(comparing(sortBy))
}

/** Matches names that contain the text, ignoring case, diacritics and spelling variants. */
export function containing(text: string): (name: string) => boolean {
  const letters = decomposed(text.trim())
  const wanted = [...new Set([letters, asTwo(letters), asOne(letters)].map(folded))]
  return (name) => readings(name).some((reading) => wanted.some((each) => folded(reading).includes(each)))
}
