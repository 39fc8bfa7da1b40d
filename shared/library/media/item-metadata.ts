import { isDeepStrictEqual } from 'node:util'
import type { Operation } from '../../backends/table/port.ts'
import { type Changing, mediaChange } from './changes.ts'
import { checked, editable } from './edit.ts'
import { emptiedAfter } from './emptied.ts'
import { noMetadata } from './importing.ts'
import type { EditableMetadata, MediaRecord } from './media.ts'

/** Metadata that the operator sets on an item of the stock catalogue. */
export type ItemMetadata = Partial<Pick<EditableMetadata, 'title' | 'description' | 'keywords'>>

/** The metadata of a new file. @throws Invalid when it is too large */
export function metadataOfNew(metadata: Partial<EditableMetadata>): EditableMetadata & Pick<MediaRecord, 'emptied'> {
  const emptied = emptiedAfter(noMetadata, metadata)
  return { ...checked({ ...noMetadata, ...metadata }), ...(emptied && { emptied }) }
}

/** The operator's changes of an item: only what differs. */
export type ItemChange = Partial<Pick<MediaRecord, 'filename' | 'emptied'>> & ItemMetadata

/**
 * The changes that this metadata makes to an item. Many of them fit into one transaction.
 * @returns undefined where nothing differs
 * @throws Invalid when all metadata together grows too large
 */
export function itemChange(media: MediaRecord, said: ItemMetadata & { filename?: string }): ItemChange | undefined {
  const after: ItemChange = { ...said, emptied: emptiedAfter(media, said) }
  const isNew = ([field, value]: [string, unknown]) => !isDeepStrictEqual(value, media[field as keyof ItemChange])
  const change: ItemChange = Object.fromEntries(Object.entries(after).filter(isNew))
  if (Object.keys(change).length === 0) return undefined
  checked(editable({ ...media, ...change }))
  return change
}

/**
 * The operation for an operator's change of an item. It fails when the item has changed since it was read.
 * @param uploadKey object of a new file, whose import begins
 */
export function itemUpdate(library: Changing, media: MediaRecord, change: ItemChange, uploadKey?: string): Operation {
  return mediaChange(library, media, { reimported: change, uploadKey }).operation
}
