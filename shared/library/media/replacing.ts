import { randomBytes } from 'node:crypto'
import type { Condition, Key, Operation, Operations } from '../../backends/table/port.ts'
import { type MediaId, type StoredId, toStoredId } from '../../vocabulary/ids.ts'
import type { Reading, Writing } from '../library.ts'
import { reservationEnd } from '../usage/reservations.ts'
import { storedBytesChange } from '../usage/usage.ts'
import { type Changing, mediaChange } from './changes.ts'
import { currentFile, fileExchange, formerFileCreation, formerFiles, type ImportedFile, type Replacement, replacementEnd } from './files.ts'
import { mediaKey, REPLACEMENTS, replacementKey } from './keys.ts'
import type { AvailableMedia, FileFacts, NextFile } from './media.ts'
import { askForStoredRemoval } from './stored-removal.ts'
import { askForSweep } from './sweep-job.ts'

/** Digits of a time in UNIX milliseconds, so that ids sort by time until the year 5138. */
const TIME_DIGITS = 14

/** An id of a replacement that is finalized now. It sorts after those that wait for their import, also where the clock went back. */
export async function newReplacementId({ table, clock }: Reading & Pick<Writing, 'clock'>, mediaId: MediaId): Promise<string> {
  const waiting = { pk: mediaKey(mediaId).pk, sk: { beginsWith: REPLACEMENTS }, descending: true, limit: 1, consistent: true }
  const { items } = await table.query<Replacement & Key>(waiting)
  const after = items[0] ? Number(items[0].id.slice(0, TIME_DIGITS)) + 1 : 0
  return `${String(Math.max(clock.now(), after)).padStart(TIME_DIGITS, '0')}-${randomBytes(8).toString('hex')}`
}

/**
 * The operation that lets a transaction pass only while a file is there. It leaves the record as it is, which is no change: the stream tells nobody, and
 * the revision stays.
 */
export const whileThere = (mediaId: MediaId, condition: Condition = {}): Operation => ({
  update: mediaKey(mediaId),
  changes: { set: { mediaId } },
  if: { pk: { exists: true }, state: { equals: 'available' }, ...condition },
})

/** A replacement that waits for its import. @returns undefined where it has ended */
export const getReplacement = (
  { table }: Reading,
  { mediaId, id }: Pick<Replacement, 'mediaId' | 'id'>,
): Promise<Replacement | undefined> => table.get<Replacement & Key>(replacementKey(mediaId, id))

/** What the import of a replacement stores is named by the replacement. */
export const storedOf = ({ id }: Pick<Replacement, 'id'>): StoredId => toStoredId(id)

type SameBytes = Pick<FileFacts, 'md5' | 'crc32' | 'bytes'>

/** Whether two files have equal bytes. */
export const isSame = (one: SameBytes, other: SameBytes): boolean =>
  one.md5 === other.md5 && one.crc32 === other.crc32 && one.bytes === other.bytes

/** The latest former number of a file with these bytes. */
export async function formerWith(library: Reading, mediaId: MediaId, bytes: SameBytes): Promise<ImportedFile | undefined> {
  const formers = await formerFiles(library, mediaId)
  return formers.filter((former) => former.state === 'available').find((former) => isSame(former, bytes))
}

/**
 * The operations by which a replacement becomes the current file, and ends. They fail when the media record has changed since it was read, and when the
 * replacement has ended.
 * @param file what the import found out; `stored` is that of a former number with equal bytes, where there is one
 */
export function replacementExchange(
  library: Changing,
  media: AvailableMedia,
  replacement: Replacement,
  file: FileFacts & Pick<NextFile, 'stored'>,
  how: { isHeld: boolean; suggestionsWanted: boolean; keep: number },
): Operations {
  const { filename, uploadKey, uploadedBy: fileBy, comment } = replacement
  const next = { ...file, filename, uploadKey, fileBy, ...(comment !== undefined && { comment }) }
  return {
    ...fileExchange(library, media, next, how),
    ...endOf(replacement),
  }
}

/** A version that the file had in another library. */
export type VersionOfOther = Replacement & Required<Pick<Replacement, 'former'>>

export const isOfOtherLibrary = (replacement: Replacement): replacement is VersionOfOther => replacement.former !== undefined

/**
 * The operations by which a version of another library becomes a number that isn't current. The company may keep fewer, so they ask for a sweep. They are no
 * step of the version, and fail as those of `replacementExchange`.
 * @param how.isHeld whether another number has the same stored bytes
 */
export function formerArrival(
  library: Changing,
  media: AvailableMedia,
  replacement: VersionOfOther,
  file: FileFacts & Pick<NextFile, 'stored'>,
  { isHeld }: { isHeld: boolean },
): Operations {
  const { mediaId, companyId, filename, uploadKey, uploadedBy: fileBy, comment, former } = replacement
  const bytes = isHeld ? 0 : file.bytes
  const said = { ...former, fileBy, ...(comment !== undefined && { comment }) }
  return {
    media: mediaChange(library, media, { versionBytes: (media.versionBytes ?? 0) + bytes }).operation,
    former: formerFileCreation({ ...file, ...said, mediaId, companyId, filename, uploadKey, state: 'available' }),
    ...(bytes > 0 && { usage: storedBytesChange(media, { bytes, versionBytes: bytes }) }),
    sweep: askForSweep(library, media, 'import'),
    ...(isHeld ? droppedReplacement(library, replacement) : endOf(replacement)),
  }
}

/**
 * The operations that give a replacement which can't be imported a number of its own, and free what it stored. The file stays as it is. They fail as those of
 * `replacementExchange`.
 */
export function replacementFailure(library: Changing, media: AvailableMedia, replacement: Replacement): Operations {
  const { mediaId, companyId, filename, uploadKey, uploadedBy: fileBy, comment, bytes, former } = replacement
  const { lastNumber } = currentFile(media)
  const number = former ?? { fileNumber: lastNumber + 1, fileCreated: library.clock.now() }
  const failed = { ...number, mediaId, companyId, filename, uploadKey, fileBy, bytes, ...(comment !== undefined && { comment }) }
  return {
    media: mediaChange(library, media, { lastNumber: Math.max(lastNumber, number.fileNumber) }).operation,
    former: formerFileCreation({ ...failed, state: 'failed' }),
    ...droppedReplacement(library, replacement),
  }
}

/** The operations that end a replacement which makes no difference, and free what it stored. They fail where it has ended. */
export const droppedReplacement = (library: Changing, replacement: Replacement): Operations => ({
  ...endOf(replacement),
  removal: askForStoredRemoval(library, replacement, [storedOf(replacement)], replacement.uploadKey),
})

const endOf = (replacement: Replacement): Operations => ({
  replacement: replacementEnd(replacement),
  reservation: reservationEnd(replacement.companyId, replacement.uploadKey),
})
