import { IndexBehind, IndexTooLarge, SearchBusy, type SearchEngine } from '../../backends/search/port.ts'
import { inTime } from '../../deadline.ts'
import type { CompanyId, FolderId } from '../../vocabulary/ids.ts'
import type { Access, VisibleFolder } from '../access/access.ts'
import { contentsOf, type FolderRecord, holds, NO_RIGHTS } from '../tree/folder.ts'
import type { Tree } from '../tree/tree.ts'

/** Longest wait of a list for its file counts, in milliseconds. Without them the folders are shown anyway. */
const COUNT_TIMEOUT_MS = 1_000

/** A folder, with what a folder tree shows of its contents. */
export interface ChildFolder extends VisibleFolder {
  hasChildren: boolean
  /** Files that searches find directly in it. Null without READ, and while the index is unavailable. */
  files: number | null
}

/** The topmost folders on which the caller has a right: they have none on any ancestor. In the tree's order. */
export async function topFolders({ access }: { access: Access }, companyId: CompanyId): Promise<FolderRecord[]> {
  if (!access.isMember(companyId)) return []
  const rights = await access.rightsOnAll(companyId)
  const { layout } = rights.tree
  const found: FolderRecord[] = []
  for (let number = 0; number < layout.folders.length; ) {
    const isVisible = rights.at(number) !== NO_RIGHTS
    if (isVisible) found.push(layout.folders[number]!)
    // Rights hold for the whole subtree.
    number = isVisible ? layout.subtree(number)[1] : number + 1
  }
  return found
}

/** Adds what a folder tree shows of the contents of folders. */
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

/** Whether a folder has subfolders. Whoever sees a folder sees them. */
function hasChildren({ layout }: Tree, folderId: FolderId): boolean {
  const number = layout.numberOf(folderId)
  if (number === undefined) return false
  const [from, to] = layout.subtree(number)
  return to - from > 1
}

/** @returns undefined if the index doesn't answer in time */
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
  return inTime(counting, COUNT_TIMEOUT_MS, () => undefined)
}
