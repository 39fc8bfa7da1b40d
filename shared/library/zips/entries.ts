import { createHash } from 'node:crypto'
import type { Objects } from '../../backends/objects/port.ts'
import { EntryNames } from '../../tools/archive/entry-names.ts'
import type { ArchiveEntry } from '../../tools/archive/plan.ts'
import type { ContentsId, FolderId, MediaId } from '../../vocabulary/ids.ts'
import type { TreeRights } from '../access/tree-rights.ts'
import type { Deliverable } from '../downloads/copies.ts'
import { contentsOf, type FolderRecord, holds } from '../tree/folder.ts'
import { type ZipRecord, zipObjects } from './zip.ts'

/** Entries of one list. */
export const ENTRIES_IN_LIST = 1_000

/** A listed entry: a file, or an empty folder. */
export type ListedEntry = ArchiveEntry & {
  /** The file with its folder and version. Absent for folders. */
  file?: { mediaId: MediaId; contents: ContentsId; version: number }
  /** The download isn't ready, so size, checksum and object are unknown. */
  waits?: true
  /** Of a file that waits: the name that its path was made of. */
  filename?: string
}

/** The stored object of a file in the archive. */
export type Stored = Omit<Deliverable, 'metadataWritten'>

/** A file in the archive. @param at.filename that its path is made of @param deliverable undefined until it is made */
export function entryOf(
  { filename, ...at }: Pick<ListedEntry, 'path' | 'modified' | 'filename'>,
  file: NonNullable<ListedEntry['file']>,
  deliverable: Stored | undefined,
): ListedEntry {
  if (!deliverable) return { ...at, file, bytes: 0, crc32: 0, waits: true, ...(filename !== undefined && { filename }) }
  const { key, etag, bytes, crc32 } = deliverable
  return { ...at, file, bytes, crc32, ...(bytes > 0 && { key, ...(etag !== undefined && { etag }) }) }
}

interface Storing {
  media: Pick<Objects, 'get' | 'put'>
}

const JSON_LINES = { contentType: 'application/jsonl' }

/** Stores a list of entries. The name is unique within the listing, so the object of a superseded run has no effect. */
export const storeEntries = (library: Storing, zip: ZipRecord, name: string, entries: readonly ListedEntry[]) =>
  storeLines(library, keyOf(zip, name), entries)

export const readEntries = (library: Storing, zip: ZipRecord, name: string): Promise<ListedEntry[]> => readLines(library, keyOf(zip, name))

/** Stores the folders of a listing, in order. */
export const storeFolders = (library: Storing, zip: ZipRecord, folders: readonly ZippedFolder[]) =>
  storeLines(library, keyOf(zip, 'folders'), folders)

export const readFolders = (library: Storing, zip: ZipRecord): Promise<ZippedFolder[]> => readLines(library, keyOf(zip, 'folders'))

function keyOf({ jobId, listing }: ZipRecord, name: string): string {
  return `${zipObjects.ofListing(jobId, listing!)}${name}`
}

async function storeLines({ media }: Storing, key: string, values: readonly object[]): Promise<void> {
  await media.put(key, Buffer.from(values.map((value) => `${JSON.stringify(value)}\n`).join('')), JSON_LINES)
}

async function readLines<Value>({ media }: Storing, key: string): Promise<Value[]> {
  const { stream } = await media.get(key)
  const text = Buffer.concat(await stream.toArray()).toString()
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Value => JSON.parse(line))
}

/** A folder in a zip. */
export type ZippedFolder = {
  folderId: FolderId
  contents: ContentsId
  /** UNIX milliseconds */
  created: number
  /** Path in the archive: empty for the zipped folder, else it ends in `/`. */
  path: string
  /** Whether the requester may READ it. Other folders only lead to such folders. */
  readable: boolean
  /** Whether folders below it are in the zip. */
  hasFolders: boolean
}

/**
 * The folders of a zip that the requester may READ: the zipped folder and those below, parents first. Empty if there are none, or the
 * folder is deleted.
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
    // Pushed one by one: a call takes at most about 100,000 arguments.
    for (const child of children.reverse()) waiting.push(child)
  }
  return found
}

/** Whether the requester may READ the folder, or one below it. */
export function isAnythingToZip(rights: TreeRights, folderId: FolderId): boolean {
  const { itself, below } = readableIn(rights, folderId)({ folderId })
  return itself || below
}

/** A digest that changes with the set of folders, their names in the archive, their contents ids, and the right to READ them. */
export function fingerprintOf(folderName: string, folders: readonly ZippedFolder[]): string {
  const hash = createHash('sha256').update(`${JSON.stringify(folderName)}\n`)
  for (const { folderId, contents, readable, path } of folders) hash.update(`${folderId} ${contents} ${readable} ${path}\n`)
  return hash.digest('base64url')
}

/** Returns two checks: whether a folder may be READ, and whether any below it may. */
function readableIn(
  rights: TreeRights,
  folderId: FolderId,
): (folder: Pick<FolderRecord, 'folderId'>) => { itself: boolean; below: boolean } {
  const { layout } = rights.tree
  const top = layout.numberOf(folderId)
  const [from, to] = top === undefined ? [0, 0] : layout.subtree(top)
  // For each folder the number of readable ones before it.
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
