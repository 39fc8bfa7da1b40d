import { type ConsumedObjects, ObjectChanged, ObjectMissing } from '../../backends/objects/port.ts'
import { readInOrder } from '../../backends/objects/ranged-reading.ts'
import { type Condition, ConditionFailed, type Operations } from '../../backends/table/port.ts'
import { digestOf } from '../../tools/digest.ts'
import type { Sniffed } from '../../tools/sniffing/sniffed.ts'
import { afterCommit } from '../concurrency/after-commit.ts'
import { retryOnConflict } from '../concurrency/retry.ts'
import { Conflict, Forbidden, NotFound, QuotaExceeded, Unprocessable, VersionMismatch } from '../errors.ts'
import type { Writing } from '../library.ts'
import { type Replacement, replacementCreation, replacements } from '../media/files.ts'
import { replaceableMedia, requireVersion } from '../media/find.ts'
import { askForImport } from '../media/importing.ts'
import type { AvailableMedia } from '../media/media.ts'
import { newReplacementId, whileThere } from '../media/replacing.ts'
import { reserve } from '../quota/quota.ts'
import { reservationEnd } from '../usage/reservations.ts'
import type { InPlaceOf } from './destination.ts'
import { endRecord, openCount } from './ending.ts'
import { type PartUploadRecord, uploadExpiryJob } from './part-upload.ts'
import { sniffObject } from './sniff-object.ts'
import { accessOf, type Finalized, finalization, type UploadRecord, uploadKey } from './uploads.ts'

/** An upload that becomes the next version of a file. */
export type ReplacingUpload = (UploadRecord | PartUploadRecord) & InPlaceOf

/** The object of an upload. */
export interface SentFile {
  key: string
  filename: string
  bytes: number
  /** Where its bytes are known to have it: lower-case hex. */
  md5?: string | undefined
  /** Most bytes that may be read to learn it. */
  readableBytes: number
}

/** Dependencies of a replacement. */
interface Replacing extends Writing {
  uploads: ConsumedObjects
}

/** What the parts of an upload became. @param known.md5 MD5 that they were compared with */
export const sentInParts = (
  { parts, filename }: PartUploadRecord,
  { md5, readableBytes = 0 }: { md5?: string | undefined; readableBytes?: number },
): SentFile => ({ key: parts.key, bytes: parts.bytes, filename, md5, readableBytes })

/**
 * Notes what was sent as a replacement of its file, and asks for its import; or frees it, where the file has these bytes already. Idempotent.
 * @throws NotFound, Forbidden, VersionMismatch, Unprocessable `media_type_differs`, QuotaExceeded, Conflict `trashed`
 */
export async function replaceBy(library: Replacing, upload: ReplacingUpload, sent: SentFile): Promise<Finalized> {
  const readMd5 = onceRead(library, sent)
  const sniff = once(() => sniffObject(library.uploads, sent.key))
  const attempt = async (): Promise<Finalized> => {
    const media = await stillReplaceable(library, upload)
    if (media.bytes === sent.bytes && (await isSame(library, media, readMd5))) return keep(library, upload, media, sent)
    requireType(media, await sniff())
    return replace(library, upload, media, sent)
  }
  try {
    return await retryOnConflict(attempt, isRace)
  } catch (error) {
    return finalizedMeanwhile(library, upload, error)
  }
}

/** The same. An upload that is refused ends, and its bytes are freed. */
export async function replaceOrEnd(library: Replacing, upload: ReplacingUpload, sent: SentFile): Promise<Finalized> {
  try {
    return await replaceBy(library, upload, sent)
  } catch (error) {
    if (isRefusal(error) && (await endRecord(committed(library), upload))) await library.uploads.delete([sent.key])
    throw error
  }
}

/** Bypasses deferred writes: a refusal undoes them. */
export const committed = <Library extends Writing>(library: Library): Library => ({
  ...library,
  table: library.table.origin ?? library.table,
})

/** Whether an upload can't replace its file any more. A file can come back from the trash. */
export const isRefusal = (error: unknown): boolean =>
  [NotFound, Forbidden, VersionMismatch, Unprocessable, QuotaExceeded].some((refusal) => error instanceof refusal)

/** The file that an upload replaces. @throws NotFound, Forbidden, Conflict `trashed`, VersionMismatch */
export async function stillReplaceable({ table }: Pick<Writing, 'table'>, upload: ReplacingUpload): Promise<AvailableMedia> {
  const { replaces, ifVersion } = upload
  const media = await replaceableMedia({ table, access: await accessOf({ table }, upload) }, replaces)
  requireVersion(media, ifVersion === undefined ? undefined : [ifVersion])
  return media
}

/**
 * Whether it is of the same type as the file, by what its first bytes say. Pictures that can't be decoded, and films without a picture, have another type
 * than they say: then the import decides.
 */
function requireType(media: AvailableMedia, { kind, mime }: Sniffed): void {
  if (kind === media.kind || mime === media.mime) return
  throw new Unprocessable('media_type_differs', `The file is of the type ${media.kind}, and can't be replaced by one of the type ${kind}.`)
}

/** Whether the file has the bytes that were sent, and keeps them: the bytes that it has make a difference after others that wait. */
async function isSame(library: Replacing, { mediaId, md5 }: AvailableMedia, readMd5: () => Promise<string | undefined>): Promise<boolean> {
  return (await readMd5()) === md5 && (await replacements(library, mediaId)).length === 0
}

/** Ends an upload of bytes that its file has already. */
async function keep(library: Replacing, upload: ReplacingUpload, { mediaId, md5 }: AvailableMedia, { key }: SentFile): Promise<Finalized> {
  const { companyId, uploadId, ifVersion } = upload
  const kept: Finalized = { mediaId, unchanged: true }
  await library.table.transact({
    media: whileThere(mediaId, { ...ofVersion(ifVersion), md5: { equals: md5! } }),
    reservation: reservationEnd(companyId, uploadId),
    ...completion(upload, kept),
  })
  await afterCommit(library.table, () => library.uploads.delete([key]))
  return kept
}

async function replace(library: Replacing, upload: ReplacingUpload, media: AvailableMedia, sent: SentFile): Promise<Finalized> {
  const { clock, by } = library
  const { companyId, uploadId, userId: uploadedBy, comment, ifVersion } = upload
  const { mediaId } = media
  const { key: uploadKey, filename, bytes } = sent
  const room = await reserve(library, { companyId, uploadId, bytes })
  const id = await newReplacementId(library, mediaId)
  const file = { id, filename, uploadKey, bytes, created: clock.now(), uploadedBy, by }
  const replacement: Replacement = { mediaId, companyId, ...file, ...(comment !== undefined && { comment }) }
  await library.table.transact({
    media: whileThere(mediaId, ofVersion(ifVersion)),
    replacement: replacementCreation(replacement),
    import: askForImport(library, replacement),
    ...completion(upload, { mediaId }),
    ...room,
  })
  return { mediaId }
}

const ofVersion = (version: number | undefined): Condition => (version === undefined ? {} : { version: { equals: version } })

/** The writes that say what became of an upload. */
function completion(upload: ReplacingUpload, finalized: Finalized): Operations {
  const { uploadId, userId } = upload
  const inParts = 'parts' in upload && { expiry: uploadExpiryJob.drop(uploadId), open: openCount(userId, -1) }
  return { upload: finalization(uploadId, finalized), ...inParts }
}

/** Another try judges the file anew. None helps an upload that another request has finished. */
const isRace = (error: Error): boolean => !(error instanceof ConditionFailed && error.failed('upload'))

/** What a concurrent request made of the upload, whose object it may have removed. @throws the error, where there was none */
async function finalizedMeanwhile({ table }: Replacing, { uploadId }: ReplacingUpload, error: unknown): Promise<Finalized> {
  const upload = await table.get<UploadRecord>(uploadKey(uploadId))
  if (upload?.mediaId !== undefined) return finalizedOf(upload)!
  if (!upload || upload.hasEnded) throw new NotFound('upload')
  throw error instanceof ObjectMissing || error instanceof ObjectChanged ? new Conflict() : error
}

/** What became of an upload; undefined where that isn't known yet. */
export function finalizedOf({ mediaId, unchanged }: UploadRecord): Finalized | undefined {
  return mediaId === undefined ? undefined : { mediaId, ...(unchanged && { unchanged }) }
}

/** Reads the MD5 of what was sent, where that is unknown and not too much. */
function onceRead({ uploads }: Replacing, { key, md5, readableBytes }: SentFile): () => Promise<string | undefined> {
  return once(async () => {
    if (md5 !== undefined) return md5
    const object = await uploads.head(key)
    if (!object) throw new ObjectMissing(key)
    return object.bytes <= readableBytes ? (await digestOf(readInOrder(uploads, object))).md5 : undefined
  })
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let done: Promise<T> | undefined
  return () => (done ??= work())
}
