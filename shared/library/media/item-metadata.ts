import type { Operation } from '../../backends/table/port.ts'
import { type Changing, mediaChange } from './changes.ts'
import { checked, editable } from './edit.ts'
import { emptiedAfter } from './emptied.ts'
import { noMetadata } from './importing.ts'
import type { EditableMetadata, MediaRecord } from './media.ts'

/** What the operator says of an item of the stock catalogue. */
export type ItemMetadata = Partial<Pick<EditableMetadata, 'title' | 'description' | 'keywords'>>

/** The metadata of a new item. @throws Invalid when it is too large */
export function metadataOfNew(metadata: ItemMetadata): EditableMetadata & Pick<MediaRecord, 'emptied'> {
  const emptied = emptiedAfter(noMetadata, metadata)
  return { ...checked({ ...noMetadata, ...metadata }), ...(emptied && { emptied }) }
}

/**
 * What changes of an item when the operator says something else of it: nothing that they do not name, so that many changes fit into one
 * transaction.
 * @throws Invalid when all metadata together grows too large
 */
export function metadataChange(media: MediaRecord, metadata: ItemMetadata): ItemMetadata & Pick<MediaRecord, 'emptied'> {
  checked({ ...editable(media), ...metadata })
  return { ...metadata, emptied: emptiedAfter(media, metadata) }
}

/**
 * The operation by which the operator changes an item. It fails when the item has changed since it was read.
 * @param uploadKey object of a file that the item gets, and that is imported now
 * @throws Invalid when the metadata grows too large
 */
export function itemUpdate(
  library: Changing,
  media: MediaRecord,
  { filename, metadata, uploadKey }: { filename: string; metadata: ItemMetadata; uploadKey?: string | undefined },
): Operation {
  return mediaChange(library, media, { reimported: { ...metadataChange(media, metadata), filename }, uploadKey }).operation
}
