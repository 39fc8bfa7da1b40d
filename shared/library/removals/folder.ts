import type { CompanyId, ContentsId, FolderId, MediaId } from '../../vocabulary/ids.ts'
import { forgetShares } from '../cliques/shares.ts'
import type { Again } from '../jobs/run.ts'
import type { Writing } from '../library.ts'
import { mediaIn, POINTERS_AT_ONCE, removePointers } from '../media/pointers.ts'
import { removeSharesOfFolders } from '../shares/removal.ts'
import { contentsOf, type FolderRecord } from '../tree/folder.ts'
import type { Tree } from '../tree/tree.ts'
import { loadTree, removeFolders } from '../tree/tree-store.ts'

/**
 * No request runs longer than this, in seconds. A request that began before the deletion may still add pointers; a walk after this time
 * finds them all.
 */
export const SETTLED_SECONDS = 60
/** Folder records that one transaction removes; each takes up to three operations. */
const FOLDERS_AT_ONCE = 30

/** How far a walk through the folders of a removal has come, by their ids. */
export type Walk = {
  /** Folders up to this id are empty. */
  after: number
  /** Whether it began late enough to find all pointers, so that the folder records may be removed after it. */
  isLast: boolean
}

/**
 * Removes the contents of a deleted folder: every pointer in and below it (and with the last pointer the file), then the clique shares and
 * share links of the folders, then the folder records. Each step deletes its input, so a run can be repeated.
 * @param walk where an earlier run stopped
 * @param outOfTime asked between steps; true stops early
 * @returns what is left to do, and when; undefined when all is done
 */
export async function removeContents(
  library: Writing,
  { companyId, folderId, walk }: { companyId: CompanyId; folderId: FolderId; walk?: Walk | undefined },
  outOfTime: () => boolean,
): Promise<(Again & { cursor: Walk }) | undefined> {
  const tree = await loadTree(library, companyId)
  const folders = tree.subtree(folderId)
  const deleted = folders[0]?.deleted
  if (deleted === undefined) return undefined
  const { after, isLast } = walk?.after ? walk : { after: 0, isLast: library.clock.now() >= deleted + SETTLED_SECONDS * 1000 }
  const waiting = folders.filter((folder) => folder.folderId > after).sort((a, b) => a.folderId - b.folderId)
  let done = after
  for (const folder of waiting) {
    if (!(await empty(library, contentsOf(folder), outOfTime))) return { cursor: { after: done, isLast } }
    done = folder.folderId
  }
  if (!isLast) return { inSeconds: SETTLED_SECONDS, cursor: { after: 0, isLast: false } }
  const removed = await removeRecords(library, tree, folders, outOfTime)
  return removed ? undefined : { cursor: { after: done, isLast } }
}

/** @returns whether all pointers are gone */
async function empty(library: Writing, contents: ContentsId, outOfTime: () => boolean): Promise<boolean> {
  if (outOfTime()) return false
  let batch: MediaId[] = []
  for await (const mediaId of mediaIn(library, contents)) {
    batch.push(mediaId)
    if (batch.length < POINTERS_AT_ONCE) continue
    await removePointers(library, batch, contents)
    if (outOfTime()) return false
    batch = []
  }
  await removePointers(library, batch, contents)
  return true
}

/** Removes children before their parents, because an interrupted run finds the rest from the root. @returns whether all are gone */
async function removeRecords(
  library: Writing,
  { companyId }: Tree,
  folders: readonly FolderRecord[],
  outOfTime: () => boolean,
): Promise<boolean> {
  const rest = folders.map((folder) => folder.folderId).reverse()
  await forgetShares(library, companyId, rest)
  await removeSharesOfFolders(library, companyId, rest)
  while (rest.length > 0) {
    if (outOfTime()) return false
    const remove = rest.splice(0, FOLDERS_AT_ONCE)
    await removeFolders(library, companyId, remove)
  }
  return true
}
