import type { Key, Operation, Operations } from '../../backends/table/port.ts'
import type { CompanyId, MediaId, UserId } from '../../vocabulary/ids.ts'
import type { Actor } from '../actor.ts'
import { asRead } from '../concurrency/conditional.ts'
import type { Reading } from '../library.ts'
import { everyItem } from '../pages.ts'
import { storedBytesChange } from '../usage/usage.ts'
import { type Changing, mediaChange, noteAttributes } from './changes.ts'
import { askForEncoding } from './encoding-job.ts'
import { FORMER_FILES, formerFileKey, mediaKey, REPLACEMENTS, replacementKey } from './keys.ts'
import { askForPublication } from './link.ts'
import type { AvailableMedia, FileFacts, FileNote, KnownNumber, MediaRecord, NextFile } from './media.ts'
import { askForStoredRemoval } from './stored-removal.ts'
import { suggestionJobOf } from './suggestions.ts'
import { askForSweep } from './sweep-job.ts'

/** A number of a file that isn't the current one: with everything that going back to it needs, or a failed import. */
export type FormerFile = KnownNumber &
  Pick<MediaRecord, 'mediaId' | 'companyId' | 'filename' | 'uploadKey'> &
  (({ state: 'available' } & FileFacts) | ({ state: 'failed' } & Pick<FileFacts, 'bytes'>))

/** One whose import succeeded. */
export type ImportedFile = Extract<FormerFile, { state: 'available' }>

/** A finalized upload that is to become the current file. Imports of a file's replacements follow each other. */
export type Replacement = {
  mediaId: MediaId
  companyId: CompanyId
  /** Unique among the replacements of a file; sorts by time of finalizing. Names what the import stores (`stored`). */
  id: string
  filename: string
  /** Object in the `uploads` bucket. */
  uploadKey: string
  bytes: number
  /** UNIX milliseconds of finalizing */
  created: number
  /** Who replaces the file. */
  uploadedBy: UserId
  comment?: string
  /** Whoever finalized the upload; the actor of the step. */
  by: Actor
  /** Of a version that the file had in another library: it becomes this number, which isn't current. */
  former?: Pick<FormerFile, 'fileNumber' | 'fileCreated' | 'pinned'>
  /** Attempts at inspecting it that have not ended, as those of media records. */
  attempts?: number
}

/** The current file of a media record as a number. */
export function currentFile(media: AvailableMedia): NextFile {
  const { created, uploadedBy, fileNumber = 1, fileCreated = created, fileBy = uploadedBy, lastNumber = fileNumber } = media
  const { filename, uploadKey, versionBytes, stored, comment, pinned } = media
  return {
    ...factsIn(media),
    ...{ filename, uploadKey, fileNumber, fileCreated, fileBy, lastNumber },
    ...(stored !== undefined && { stored }),
    ...(comment !== undefined && { comment }),
    ...(pinned !== undefined && { pinned }),
    ...(versionBytes !== undefined && { versionBytes }),
  }
}

/** What is known of the bytes of a number: the part that another number with the same bytes shares. */
export const factsIn = (file: FileFacts): FileFacts =>
  Object.fromEntries(FACTS.filter((name) => file[name] !== undefined).map((name) => [name, file[name]])) as unknown as FileFacts

const FACTS = Object.keys({
  ...{ kind: true, mime: true, extension: true, md5: true, crc32: true, bytes: true, width: true, height: true, contentCredentials: true },
  ...{ thumbhash: true, video: true, iptc: true, geolocation: true, cameraCreated: true, suggestedKeywords: true, renditions: true },
} satisfies { [Fact in keyof FileFacts]-?: true }) as (keyof FileFacts)[]

/** Numbers of a file that aren't current, newest first. @param which.below a number, `limit` the most; all by default */
export async function formerFiles(
  { table }: Reading,
  mediaId: MediaId,
  { below = ABOVE_ALL, limit = Number.POSITIVE_INFINITY } = {},
): Promise<FormerFile[]> {
  const sk = { from: FORMER_FILES, to: formerFileKey(mediaId, below - 1).sk }
  const query = { ...of(mediaId, FORMER_FILES), sk, ...(Number.isFinite(limit) && { limit }) }
  const found: FormerFile[] = []
  for await (const former of everyItem<FormerFile & Key>(table, query)) {
    found.push(former)
    if (found.length === limit) break
  }
  return found
}

/** Keys have ten digits. */
const ABOVE_ALL = 10 ** 10

/** A number that isn't current. */
export const formerFile = ({ table }: Reading, mediaId: MediaId, number: number): Promise<FormerFile | undefined> =>
  table.get<FormerFile & Key>(formerFileKey(mediaId, number))

/** Replacements of a file that are not imported, the last to be finalized first. */
export function replacements({ table }: Reading, mediaId: MediaId): Promise<Replacement[]> {
  return Array.fromAsync(everyItem<Replacement & Key>(table, of(mediaId, REPLACEMENTS)))
}

const of = (mediaId: MediaId, beginsWith: string) => {
  return { pk: mediaKey(mediaId).pk, sk: { beginsWith }, descending: true, consistent: true }
}

/** The operation that notes a replacement. Its import is asked for in the same transaction (`askForImport`). */
export const replacementCreation = (replacement: Replacement): Operation => ({
  put: { ...replacementKey(replacement.mediaId, replacement.id), ...replacement },
  if: { pk: { exists: false } },
})

/** The operation that ends a replacement. Fails where it has ended. */
export const replacementEnd = ({ mediaId, id }: Pick<Replacement, 'mediaId' | 'id'>): Operation => ({
  delete: replacementKey(mediaId, id),
  if: { pk: { exists: true } },
})

/** The operation that keeps a number which isn't current. */
export const formerFileCreation = (former: FormerFile): Operation => ({
  put: { ...formerFileKey(former.mediaId, former.fileNumber), ...former },
  if: { pk: { exists: false } },
})

/** The operation that replaces the note of a number. Fails where it has another note now, or is gone. @param file as it was read with the media record */
export function fileNote(library: Changing, media: AvailableMedia, file: NextFile | FormerFile, note: FileNote): Operation {
  const { fileNumber, comment, pinned } = file
  if (!('state' in file)) return mediaChange(library, media, { noted: note }).operation
  return {
    update: formerFileKey(media.mediaId, fileNumber),
    changes: { set: note, remove: noteAttributes.filter((name) => note[name] === undefined) },
    if: { pk: { exists: true }, comment: asRead(comment), pinned: asRead(pinned) },
  }
}

/**
 * The operations that delete numbers which aren't current, and ask for the removal of what none of the others has. They fail when the media record has
 * changed since it was read, so bytes that several share are freed once, and where one was pinned meanwhile.
 * @param former all numbers that aren't current, read after the media record
 */
export function numbersRemoval(
  library: Changing,
  media: AvailableMedia,
  gone: readonly FormerFile[],
  former: readonly FormerFile[],
): Operations {
  const { mediaId, companyId, versionBytes = 0 } = media
  const held = new Set([media.stored, ...former.filter((each) => each.state === 'available' && !gone.includes(each)).map(storedOf)])
  const freed = new Map(
    gone.filter((each) => each.state === 'available' && !held.has(each.stored)).map((each) => [each.stored, each.bytes]),
  )
  const bytes = -freed.values().reduce((sum, each) => sum + each, 0)
  return {
    media: mediaChange(library, media, { versionBytes: versionBytes + bytes }).operation,
    ...Object.fromEntries(
      gone.map(({ fileNumber }) => [
        `number ${fileNumber}`,
        { delete: formerFileKey(mediaId, fileNumber), if: { pk: { exists: true }, pinned: { exists: false } } } satisfies Operation,
      ]),
    ),
    ...(bytes !== 0 && { usage: storedBytesChange(media, { bytes, versionBytes: bytes }) }),
    ...(freed.size > 0 && { removal: askForStoredRemoval(library, { companyId, mediaId }, [...freed.keys()]) }),
  }
}

const storedOf = ({ stored }: FormerFile) => stored

/**
 * The operations by which another file becomes the current one under the next number: record, former file, usage, publication of links, encodings of a video and
 * suggestions, in one step of the version. They fail when the media record has changed since it was read.
 * @param options.isHeld whether one of its former numbers has the same stored bytes
 * @param options.keep how many numbers the company keeps (`versionsKept`)
 */
export function fileExchange(
  library: Changing,
  media: AvailableMedia,
  file: FileFacts & Pick<NextFile, 'filename' | 'uploadKey' | 'stored' | 'fileBy' | 'comment'>,
  { isHeld, suggestionsWanted, keep }: { isHeld: boolean; suggestionsWanted: boolean; keep: number },
): Operations {
  const { mediaId, companyId, links = [] } = media
  const { lastNumber, versionBytes = 0, ...current } = currentFile(media)
  const number = lastNumber + 1
  const held = isHeld ? file.bytes : 0
  const moreVersions = media.bytes - held
  const exchanged: NextFile = {
    ...file,
    ...{ fileNumber: number, lastNumber: number, fileCreated: library.clock.now(), versionBytes: versionBytes + moreVersions },
  }
  return {
    media: mediaChange(library, media, { exchanged, suggestionsWanted }).operation,
    former: formerFileCreation({ mediaId, companyId, state: 'available', ...current }),
    usage: storedBytesChange(media, { bytes: file.bytes - held, versionBytes: moreVersions }),
    ...askForPublication(library, companyId, links),
    ...(media.kind === 'video' && { encoding: askForEncoding(library, media) }),
    ...(suggestionsWanted && { suggestions: suggestionJobOf(library, media) }),
    ...(number > keep && { sweep: askForSweep(library, media, number) }),
  }
}
