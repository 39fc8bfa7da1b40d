import type { Key } from '../../backends/table/port.ts'
import { type ContentsId, type MediaId, toMediaId } from '../../vocabulary/ids.ts'
import type { MediaRecord, PointerRecord, Tombstone } from './media.ts'

/**
 * Where files are in the table. `changes.ts` and `pointers.ts` make all writes there; all other code reads by `find.ts`. A lint rule and the
 * test "media records have one writer" hold that.
 */
export const mediaKey = (mediaId: MediaId): Key => ({ pk: `MEDIA#${mediaId}`, sk: 'MEDIA' })
export const pointerKey = (mediaId: MediaId, contents: ContentsId): Key => ({ pk: mediaKey(mediaId).pk, sk: `FOLDER#${contents}` })
export const tombstoneKey = (mediaId: MediaId): Key => ({ pk: mediaKey(mediaId).pk, sk: 'TOMBSTONE' })

/** Attributes by which the index `pointersByFolder` finds the pointers in a folder. */
export const pointerIndexKey = (mediaId: MediaId, contents: ContentsId) => ({
  folderKey: folderPartition(contents),
  mediaKey: mediaKey(mediaId).pk,
})

/** The partition of the index `pointersByFolder` that holds the pointers in a folder. */
export const folderPartition = (contents: ContentsId): string => `FOLDER#${contents}`

/** The file that a key is of: its record's, a pointer's or its tombstone's. */
export const mediaIdOf = ({ pk }: Pick<Key, 'pk'>): MediaId => toMediaId(Number(pk.slice('MEDIA#'.length)))

/** Records with their keys. `find.ts` returns records without: no table takes them. */
export type StoredMedia = Key & MediaRecord
export type StoredPointer = Key & PointerRecord
export type StoredTombstone = Key & Tombstone

/** What an item of a file's partition is. */
export const isMedia = (item: Key): item is StoredMedia => item.sk === 'MEDIA'
export const isPointer = (item: Key): item is StoredPointer => item.sk.startsWith('FOLDER#')
export const isTombstone = (item: Key): item is StoredTombstone => item.sk === 'TOMBSTONE'
