import type { Readable } from 'node:stream'
import type { Key } from '../../backends/table/port.ts'
import type { MediaId } from '../../vocabulary/ids.ts'
import type { Reading } from '../library.ts'
import type { ItemMetadata } from '../media/edit.ts'
import { getMany } from '../media/find.ts'
import type { MediaRecord } from '../media/media.ts'

/** What identifies the bytes of an item's file. */
export type ItemFile = {
  /** Lower-case hex */
  sha256: string
  bytes: number
}

/** Record of an imported item of the stock catalogue: the operator's id, and its file. */
export type ItemRecord = Key & {
  id: string
  mediaId: MediaId
  /** Absent without a file. Never changes once set. */
  file?: ItemFile
}

export const itemKey = (id: string): Key => ({ pk: `STOCK#${id}`, sk: 'ITEM' })

/** A file on the operator's machine. */
export interface EntryFile {
  /** Name without folders. */
  name: string
  /** Size when it was first read. */
  bytes: number
  /** Its bytes. The stream fails if the file has changed since. */
  open(): Promise<Readable>
  /** Digest of its bytes, computed once. */
  sha256(): Promise<string>
}

/** An item as the operator describes it. Absent fields stay; empty ones are cleared. */
export interface Entry {
  /** NFC, 1 to 200 characters without control characters. */
  id: string
  /** A filename as the library stores it. */
  filename?: string
  metadata: ItemMetadata
  file?: EntryFile
}

/** An existing item. */
export interface KnownItem {
  item: ItemRecord
  media: MediaRecord
}

/** Whether an entry's file differs from its item's. Reads the file if the sizes are equal. */
export async function isOtherFile({ file }: Entry, known: KnownItem | undefined): Promise<boolean> {
  const imported = known?.item.file
  if (!file || !imported) return false
  return file.bytes !== imported.bytes || (await file.sha256()) !== imported.sha256
}

/** Explains why a different file is refused. */
export const otherFileProblem = (id: string): string =>
  `the file of item ${id} differs from the one imported; files of items don't change: give it another id`

/** The existing items of the entries, by id. @throws Error if a file's record is missing */
export async function findKnown(library: Reading, entries: readonly Entry[]): Promise<Map<string, KnownItem>> {
  const items = await library.table.getMany<ItemRecord>(entries.map(({ id }) => itemKey(id)))
  const found = await getMany(
    library,
    items.map(({ mediaId }) => mediaId),
  )
  const byId = new Map(found.map((media) => [media.mediaId, media]))
  return new Map(
    items.map((item) => {
      const media = byId.get(item.mediaId)
      if (!media) throw new Error(`The item ${item.id} is imported as file ${item.mediaId}, which does not exist. Run: check`)
      return [item.id, { item, media }]
    }),
  )
}
