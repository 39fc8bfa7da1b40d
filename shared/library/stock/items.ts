import { hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Key } from '../../backends/table/port.ts'
import type { Reading } from '../library.ts'
import { getMany } from '../media/find.ts'
import type { ItemMetadata } from '../media/item-metadata.ts'
import type { MediaRecord } from '../media/media.ts'
import type { MediaId } from '../vocabulary/ids.ts'

/** What identifies the bytes of an item's file. */
export type ItemFile = {
  /** Lower-case hex */
  sha256: string
  bytes: number
}

/** That an item of the stock catalogue is imported: its id as the operator gives it, and what was imported. */
export type ItemRecord = Key & {
  id: string
  mediaId: MediaId
  /** Digest of what the operator says of the item. */
  entry: string
  /** Absent where the item has no file. Once there is one it stays that one. */
  file?: ItemFile
}

export const itemKey = (id: string): Key => ({ pk: `STOCK#${id}`, sk: 'ITEM' })

/** A file on the operator's machine. */
export interface EntryFile {
  /** Base name. */
  name: string
  /** Size when it was looked at first. */
  bytes: number
  /** Its bytes. The stream fails when the file is no longer what was looked at. */
  open(): Promise<Readable>
  /** Digest of its bytes, which are read for that once. */
  sha256(): Promise<string>
}

/** An item as the operator describes it. What an entry does not name stays as it is, what it names as empty becomes empty. */
export interface Entry {
  /** NFC, 1 to 200 characters without control characters. */
  id: string
  /** As files are named in the library. */
  filename?: string
  metadata: ItemMetadata
  file?: EntryFile
}

/** An item that was imported before. */
export interface KnownItem {
  item: ItemRecord
  media: MediaRecord
}

/** Digest of what an entry says, in whatever order it says it. */
export function digestOf({ filename, metadata }: Entry): string {
  const { title, description, keywords } = metadata
  const fields = [title, description, keywords].map(
    (languages) => languages && Object.entries(languages).sort(([a], [b]) => (a < b ? -1 : 1)),
  )
  return hash('sha256', JSON.stringify([filename ?? null, ...fields]))
}

/** Whether the library has everything that an entry says. Whether the files are the same ones is another question. */
export const isImported = (entry: Entry, item: ItemRecord | undefined): boolean =>
  item?.entry === digestOf(entry) && (entry.file === undefined || item.file !== undefined)

/** Whether an entry names another file than the one that its item has. Reads the file where the sizes are the same. */
export async function isOtherFile({ file }: Entry, item: ItemRecord | undefined): Promise<boolean> {
  if (!file || !item?.file) return false
  return file.bytes !== item.file.bytes || (await file.sha256()) !== item.file.sha256
}

/** Why an entry that names another file is refused. */
export const otherFileProblem = (id: string): string =>
  `the file of item ${id} differs from the one imported; files of items don't change: give it another id`

/** The records of those entries that were imported before, by their ids. */
export async function findItems({ table }: Reading, entries: readonly Entry[]): Promise<Map<string, ItemRecord>> {
  const items = await table.getMany<ItemRecord>(entries.map(({ id }) => itemKey(id)))
  return new Map(items.map((item) => [item.id, item]))
}

/** Items with their files' records, by the items' ids. @throws Error where one is missing */
export async function findKnown(library: Reading, items: Iterable<ItemRecord>): Promise<Map<string, KnownItem>> {
  const all = [...items]
  const found = await getMany(
    library,
    all.map(({ mediaId }) => mediaId),
  )
  const byId = new Map(found.map((media) => [media.mediaId, media]))
  return new Map(
    all.map((item) => {
      const media = byId.get(item.mediaId)
      if (!media) throw new Error(`The item ${item.id} is imported as file ${item.mediaId}, which does not exist. Run: check`)
      return [item.id, { item, media }]
    }),
  )
}
