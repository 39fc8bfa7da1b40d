import type { Operation } from '../../backends/table/port.ts'
import { type Changing, mediaChange } from './changes.ts'
import { checked, editable } from './edit.ts'
import { emptiedAfter } from './emptied.ts'
import { nothingSaid } from './importing.ts'
import type { EditableMetadata, MediaRecord } from './media.ts'

/** What the operator says of an item of the stock catalogue. */
export type SaidOfItem = Partial<Pick<EditableMetadata, 'title' | 'description' | 'keywords'>>

/** The metadata of a new item. @throws Invalid when it is too large */
export function metadataOfNew(said: SaidOfItem): EditableMetadata & Pick<MediaRecord, 'emptied'> {
  const emptied = emptiedAfter(nothingSaid, said)
  return { ...checked({ ...nothingSaid, ...said }), ...(emptied && { emptied }) }
}

/**
 * What changes of an item when the operator says something else of it: nothing that they do not name, so that many changes fit into one
 * transaction.
 * @throws Invalid when all metadata together grows too large
 */
export function metadataChange(media: MediaRecord, said: SaidOfItem): SaidOfItem & Pick<MediaRecord, 'emptied'> {
  checked({ ...editable(media), ...said })
  return { ...said, emptied: emptiedAfter(media, said) }
}

/**
 * The operation by which the operator changes an item. It fails when the item has changed since it was read.
 * @param uploadKey object of a file that the item gets, and that is imported now
 * @throws Invalid when the metadata grows too large
 */
export function restocking(
  library: Changing,
  media: MediaRecord,
  { filename, said, uploadKey }: { filename: string; said: SaidOfItem; uploadKey?: string | undefined },
): Operation {
  return mediaChange(library, media, { restocked: { ...metadataChange(media, said), filename }, uploadKey }).operation
}
