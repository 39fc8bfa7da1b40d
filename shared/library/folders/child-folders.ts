import { IndexBehind, IndexTooLarge, SearchBusy, type SearchEngine } from '../../backends/search/port.ts'
import { inTime } from '../../deadline.ts'
import type { CompanyId, FolderId } from '../../vocabulary/ids.ts'
import type { Access, VisibleFolder } from '../access/access.ts'
import { contentsOf, type FolderRecord, holds, NO_RIGHTS } from '../tree/folder.ts'
import type { Tree } from '../tree/tree.ts'

/** Milliseconds that a list waits for the numbers of files. They are decoration: folders are shown without. */
const PATIENCE = 1_000

/** A folder, with what a tree of folders shows of what it contains. */
export interface ChildFolder extends VisibleFolder {
  hasChildren: boolean
  /** Files that searches find directly in it. Null where the caller may not READ it, and while the index isn't there. */
  files: number | null
}

/** The topmost folders of a tree on which the caller has a right: none above them gives any. In the order of the tree. */
export async function topFolders({ access }: { access: Access }, companyId: CompanyId): Promise<FolderRecord[]> {
  if (!access.isMember(companyId)) return []
  const rights = await access.rightsOnAll(companyId)
  const { layout } = rights.tree
  const found: FolderRecord[] = []
  for (let number = 0; number < layout.folders.length; ) {
    const isVisible = rights.at(number) !== NO_RIGHTS
    if (isVisible) found.push(layout.folders[number]!)
    // A right reaches all below a folder.
    number = isVisible ? layout.subtree(number)[1] : number + 1
  }
  return found
}

/** Folders with what a tree of folders shows of them. */
export async function withContents(
  library: { access: Access; search: SearchEngine },
  folders: readonly VisibleFolder[],
): Promise<ChildFolder[]> {
  const trees = new Map<CompanyId, Tree>()
  for (const { record } of folders)
    if (!trees.has(record.companyId)) trees.set(record.companyId, await library.access.tree(record.companyId))
  const children = folders.map(({ record, rights }): ChildFolder => {
    return { record, rights, hasChildren: hasChildren(trees.get(record.companyId)!, record.folderId), files: null }
  })
  for (const companyId of trees.keys()) {
    const readable = children.filter(({ record, rights }) => record.companyId === companyId && holds(rights, 'READ'))
    const counts = await countsOf(library, companyId, readable)
    readable.forEach((child, n) => {
      child.files = counts?.[n] ?? null
    })
  }
  return children
}

/** All that lies in a folder is seen by who sees the folder. */
function hasChildren({ layout }: Tree, folderId: FolderId): boolean {
  const number = layout.numberOf(folderId)
  if (number === undefined) return false
  const [from, to] = layout.subtree(number)
  return to - from > 1
}

/** @returns undefined where the index isn't there in time */
async function countsOf(
  { search }: { search: SearchEngine },
  companyId: CompanyId,
  folders: readonly VisibleFolder[],
): Promise<number[] | undefined> {
  if (folders.length === 0) return []
  const counting = search
    .countFiles(
      companyId,
      folders.map(({ record }) => contentsOf(record)),
    )
    .catch((error: unknown) => {
      if (error instanceof IndexBehind || error instanceof SearchBusy || error instanceof IndexTooLarge) return undefined
      throw error
    })
  return inTime(counting, PATIENCE, () => undefined)
}
