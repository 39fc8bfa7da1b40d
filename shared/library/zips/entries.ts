import type { Objects } from '../../backends/objects/port.ts'
import type { ArchiveEntry } from '../../tools/archive/plan.ts'
import type { ContentsId, MediaId } from '../../vocabulary/ids.ts'
import type { Deliverable } from '../downloads/prepared.ts'
import type { ZippedFolder } from './folders.ts'
import { type ZipRecord, zipObjects } from './zip.ts'

/** Entries of one list. */
export const ENTRIES_IN_LIST = 1_000

/** An entry as it is listed: a file, or an empty folder. */
export type ListedEntry = ArchiveEntry & {
  /** Which file it is, in which folder, at which version. Absent for folders. */
  file?: { mediaId: MediaId; contents: ContentsId; version: number }
  /** Its download is yet to be made: size, checksum and object are not known. */
  waits?: true
}

/** A file in the archive. @param deliverable undefined while it is yet to be made */
export function entryOf(
  at: Pick<ListedEntry, 'path' | 'modified'>,
  file: NonNullable<ListedEntry['file']>,
  deliverable: Deliverable | undefined,
): ListedEntry {
  if (!deliverable) return { ...at, file, bytes: 0, crc32: 0, waits: true }
  const { key, etag, bytes, crc32 } = deliverable
  return { ...at, file, bytes, crc32, ...(bytes > 0 && { key, ...(etag !== undefined && { etag }) }) }
}

interface Storing {
  media: Pick<Objects, 'get' | 'put'>
}

const JSON_LINES = { contentType: 'application/jsonl' }

/** Stores a list of entries. The name is unique within the listing: what a run that was too slow stores stays without effect. */
export const storeEntries = (library: Storing, zip: ZipRecord, name: string, entries: readonly ListedEntry[]) =>
  storeLines(library, keyOf(zip, name), entries)

export const readEntries = (library: Storing, zip: ZipRecord, name: string): Promise<ListedEntry[]> => readLines(library, keyOf(zip, name))

/** Stores the folders of a listing, in the order in which they are listed. */
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
