import type { Readable } from 'node:stream'
import type { Key } from '../../backends/table/port.ts'
import type { MediaId } from '../../vocabulary/ids.ts'
import type { Reading } from '../library.ts'
import { getMany } from '../media/find.ts'
import type { ItemMetadata } from '../media/item-metadata.ts'
import type { MediaRecord } from '../media/media.ts'

/** What identifies the bytes of an item's file. */
export type ItemFile = {
  /** Lower-case hex */
  sha256: string
  bytes: number
}

/** That an item of the stock catalogue is imported: its id as the operator gives it, and its file. */
export type ItemRecord = Key & {
  id: string
  mediaId: MediaId
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

/** Whether an entry names another file than the one that its item has. Reads the file where the sizes are the same. */
export async function isOtherFile({ file }: Entry, known: KnownItem | undefined): Promise<boolean> {
  const imported = known?.item.file
  if (!file || !imported) return false
  return file.bytes !== imported.bytes || (await file.sha256()) !== imported.sha256
}

/** Why an entry that names another file is refused. */
export const otherFileProblem = (id: string): string =>
  `the file of item ${id} differs from the one imported; files of items don't change: give it another id`

/** The items of those entries that were imported before, by their ids. @throws Error where the file's record of one is missing */
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
