import type { Key } from '../../backends/table/port.ts'
import { type ContentsId, type MediaId, toMediaId } from '../../vocabulary/ids.ts'
import type { MediaRecord, PointerRecord, Tombstone } from './media.ts'

/**
 * Keys of files in the table. Only this folder writes there; all other code reads through `find.ts`. A lint rule and the test "media records have
 * one writer" enforce that.
 */
export const mediaKey = (mediaId: MediaId): Key => ({ pk: `MEDIA#${mediaId}`, sk: 'MEDIA' })
export const pointerKey = (mediaId: MediaId, contents: ContentsId): Key => ({ pk: mediaKey(mediaId).pk, sk: `FOLDER#${contents}` })
/** A number that isn't the current file's. */
export const formerFileKey = (mediaId: MediaId, number: number): Key => ({
  pk: mediaKey(mediaId).pk,
  sk: `${FORMER_FILES}${padded(number)}`,
})
/** A replacement that is being imported. @param id sorts by time */
export const replacementKey = (mediaId: MediaId, id: string): Key => ({ pk: mediaKey(mediaId).pk, sk: `${REPLACEMENTS}${id}` })
/** What was editable at a version before the present one. */
export const stateKey = (mediaId: MediaId, version: number): Key => ({ pk: mediaKey(mediaId).pk, sk: `${STATES}${padded(version)}` })
export const tombstoneKey = (mediaId: MediaId): Key => ({ pk: mediaKey(mediaId).pk, sk: 'TOMBSTONE' })

/** Where the sort keys of these records begin. */
export const [FORMER_FILES, REPLACEMENTS, STATES] = ['FILE#', 'REPLACEMENT#', 'STATE#'] as const
const padded = (count: number): string => String(count).padStart(10, '0')

/** Keys of a pointer in the index `pointersByFolder`. */
export const pointerIndexKey = (mediaId: MediaId, contents: ContentsId) => ({
  folderKey: folderPartition(contents),
  mediaKey: mediaKey(mediaId).pk,
})

/** The partition of the index `pointersByFolder` that holds the pointers in a folder. */
export const folderPartition = (contents: ContentsId): string => `FOLDER#${contents}`

/** The file of a key: of a record, a pointer or a tombstone. */
export const mediaIdOf = ({ pk }: Pick<Key, 'pk'>): MediaId => toMediaId(Number(pk.slice('MEDIA#'.length)))

/** Records with their keys. `find.ts` returns records without keys, so that nobody can write them back. */
export type StoredMedia = Key & MediaRecord
export type StoredPointer = Key & PointerRecord
export type StoredTombstone = Key & Tombstone

/** Tells the items of a file's partition apart. */
export const isMedia = (item: Key): item is StoredMedia => item.sk === 'MEDIA'
export const isPointer = (item: Key): item is StoredPointer => item.sk.startsWith('FOLDER#')
export const isTombstone = (item: Key): item is StoredTombstone => item.sk === 'TOMBSTONE'
