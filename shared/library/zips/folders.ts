import { createHash } from 'node:crypto'
import { EntryNames } from '../../tools/archive/entry-names.ts'
import type { ContentsId, FolderId } from '../../vocabulary/ids.ts'
import type { TreeRights } from '../access/tree-rights.ts'
import { contentsOf, type FolderRecord } from '../tree/folder.ts'
import { holds } from '../tree/rights.ts'

/** A folder in a zip. */
export type ZippedFolder = {
  folderId: FolderId
  contents: ContentsId
  /** UNIX milliseconds */
  created: number
  /** In the archive: empty for the zipped folder, else it ends in `/`. */
  path: string
  /** Whether the requester may READ it. Others are on the way to one that they may. */
  readable: boolean
  /** Whether folders below it are in the zip. */
  hasFolders: boolean
}

/**
 * The folders of a zip: the one that is zipped and those below it, as far as the requester may READ them. A folder comes before those in it.
 * Empty when the requester may READ none of them, or the folder is gone.
 */
export function foldersToZip(rights: TreeRights, folderId: FolderId): ZippedFolder[] {
  const { tree } = rights
  const readableOf = readableIn(rights, folderId)
  const found: ZippedFolder[] = []
  const waiting: { folder: FolderRecord; path: string }[] = tree.stored(new Set([folderId])).map((folder) => ({ folder, path: '' }))
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { folder, path } = next
    const { itself, below } = readableOf(folder)
    if (!itself && !below) continue
    const { created } = folder
    found.push({ folderId: folder.folderId, contents: contentsOf(folder), created, path, readable: itself, hasFolders: below })
    const names = new EntryNames()
    const children = tree
      .children(folder.folderId, 'name')
      .filter((child) => readableOf(child).itself || readableOf(child).below)
      .map((child) => ({ folder: child, path: `${path}${names.unique(child.name, 'folder')}/` }))
    // One by one: a call takes no more than some 100,000 arguments.
    for (const child of children.reverse()) waiting.push(child)
  }
  return found
}

/** Whether the folders of a zip are any: the requester may READ the folder, or one below it. */
export function isAnythingToZip(rights: TreeRights, folderId: FolderId): boolean {
  const { itself, below } = readableIn(rights, folderId)({ folderId })
  return itself || below
}

/** Differs where folders are others, have other names in the archive, hold other contents, or may be read no more. */
export function fingerprintOf(folderName: string, folders: readonly ZippedFolder[]): string {
  const hash = createHash('sha256').update(`${JSON.stringify(folderName)}\n`)
  for (const { folderId, contents, readable, path } of folders) hash.update(`${folderId} ${contents} ${readable} ${path}\n`)
  return hash.digest('base64url')
}

/** Tells of a folder, the given one or one below it, whether it may be READ, and whether any folder below it may. */
function readableIn(
  rights: TreeRights,
  folderId: FolderId,
): (folder: Pick<FolderRecord, 'folderId'>) => { itself: boolean; below: boolean } {
  const { layout } = rights.tree
  const top = layout.numberOf(folderId)
  const [from, to] = top === undefined ? [0, 0] : layout.subtree(top)
  // Of each folder, how many before it may be READ.
  const before = new Int32Array(to - from + 1)
  for (let number = from; number < to; number++) {
    before[number - from + 1] = before[number - from]! + (holds(rights.at(number), 'READ') ? 1 : 0)
  }
  const count = (start: number, end: number) => before[end - from]! - before[start - from]!
  return ({ folderId: id }) => {
    const number = layout.numberOf(id)
    if (number === undefined) return { itself: false, below: false }
    const [start, end] = layout.subtree(number)
    return { itself: count(start, start + 1) > 0, below: count(start + 1, end) > 0 }
  }
}
