import { createHash } from 'node:crypto'
import {
  CompositionMissing,
  InvalidParts,
  PartInFlight,
  type PartUpload,
  type PartUploads,
  type ReceivedPart,
  WrongMd5,
} from '../../backends/objects/port.ts'
import { ConditionFailed, type Table } from '../../backends/table/port.ts'
import type { MediaId } from '../../vocabulary/ids.ts'
import { held } from '../concurrency/conditional.ts'
import { retryOnConflict } from '../concurrency/retry.ts'
import { Conflict, NotFound, PartsMissing, Unprocessable } from '../errors.ts'
import { withFreshId } from '../fresh-id.ts'
import type { Writing } from '../library.ts'
import { fileCreation } from '../media/importing.ts'
import { makeOrHold } from '../quota/hold.ts'
import { reserve } from '../quota/quota.ts'
import { noSuchLink } from '../shares/share.ts'
import { noteArrived, reservationRefused, reservationUsed, type ShareLimits } from '../shares/upload-reservations.ts'
import type { FolderRecord } from '../tree/folder.ts'
import { folderForUploads, type IntoFolder } from './destination.ts'
import { openCount } from './ending.ts'
import {
  bytesOfPart,
  compareJob,
  heldLifetime,
  isOpen,
  type PartUploadRecord,
  partsOf,
  receivedOf,
  uploadExpiryJob,
} from './part-upload.ts'
import { type Finding, findPartUpload, type Uploading } from './part-uploads.ts'
import { finalization, hasLostRoom, keptIfHeld, sentBy, stillAllowed, uploadKey } from './uploads.ts'

/** `Retry-After` in seconds while an MD5 is being compared. */
const COMPARING_SECONDS = 5

/** Dependencies of what completes uploads in parts. */
export type Completing = Uploading<'isArriving' | 'receivedParts' | 'joinParts' | 'maxComparedBytes'>

/**
 * Completes an upload into a folder.
 * @throws what `findPartUpload` and `completeIntoFolder` throw
 */
export async function completePartUpload(
  library: Completing & { limits?: ShareLimits },
  uploadId: string,
  expectedMd5: string | undefined,
): Promise<MediaId> {
  const upload = await findPartUpload(library, uploadId)
  if ('replaces' in upload) throw new NotFound('upload')
  return completeIntoFolder(library, upload, expectedMd5)
}

/**
 * Makes a file of the parts. Idempotent: always returns the same file. The committed record starts its import. Files too large to be read within a
 * request have their MD5 compared by a job: until it is done, this throws Conflict `upload_finalizing`.
 * @param expectedMd5 MD5 of the file, in lower-case hex
 * @throws NotFound, Forbidden, PartsMissing, Unprocessable, QuotaExceeded when the file is held, and Conflict while a part arrives: the parts stay for
 * another try
 */
export async function completeIntoFolder(
  library: Completing & { limits?: ShareLimits },
  upload: PartUploadRecord & IntoFolder,
  expectedMd5: string | undefined,
): Promise<MediaId> {
  if (upload.mediaId !== undefined) return upload.mediaId
  const folder = await folderForUploads(library.access, upload.folderId)
  const md5 = md5ToCompare(upload, expectedMd5)
  if (library.limits) await countArrived({ ...library, limits: library.limits }, upload)
  try {
    await join(library, upload, md5)
    // The link may have ended while the parts were joined.
    return await makeFileOrHold(library, upload, upload.shareId === undefined ? folder : await stillAllowed(library, upload))
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error
    // A concurrent request has made the file.
    const { mediaId } = await findPartUpload(library, upload.uploadId)
    if (mediaId !== undefined) return mediaId
    throw reservationRefused(error) ? noSuchLink() : error
  }
}

/** The MD5 that parts must have together. @throws Conflict while they are being compared, Unprocessable */
export function md5ToCompare(upload: PartUploadRecord, expected: string | undefined): string | undefined {
  if (upload.comparing !== undefined) throw comparing()
  const md5 = expected ?? upload.md5
  if (upload.md5 !== undefined && md5 !== upload.md5) throw wrongMd5()
  return md5
}

/** Parts may have arrived by URLs that were old when they did. @throws Conflict `share_full` */
async function countArrived(
  library: Finding & { table: Table; partUploads: Pick<PartUploads, 'receivedParts'>; limits: ShareLimits },
  upload: PartUploadRecord,
): Promise<void> {
  const { uploadId, shareId, expires } = upload
  const received = await receivedOf(library, upload)
  if (shareId === undefined || !received) return
  const bytes = received.reduce((sum, part) => sum + part.bytes, 0)
  await noteArrived(library, { shareId, uploadId }, { bytes, expires })
}

/** Makes the file of a joined upload, or holds it where there is no room. @throws ConditionFailed when the file exists already, QuotaExceeded */
export function makeFileOrHold(library: Writing, upload: PartUploadRecord & IntoFolder, folder: FolderRecord): Promise<MediaId> {
  const held = heldLifetime(library.clock.now())
  const make = () => keptIfHeld(library, upload, held.expires, () => makeFile(library, upload, folder))
  return makeOrHold(library, inNeed(upload), held, make)
}

/** The same without holding. @throws ConditionFailed when the file exists already, QuotaExceeded */
export function makeFile(library: Writing, upload: PartUploadRecord & IntoFolder, folder: FolderRecord): Promise<MediaId> {
  const { uploadId, companyId, userId, filename, parts, shareId } = upload
  const file = { companyId, uploadedBy: userId, filename, uploadKey: parts.key, ...sentBy(upload) }
  const make = async () => {
    // Room was reserved when the upload began, unless the quota was set later.
    const room = await reserve(library, inNeed(upload))
    return withFreshId(async (mediaId: MediaId) => {
      const counted = shareId === undefined ? { open: openCount(userId, -1) } : reservationUsed({ shareId, uploadId, bytes: parts.bytes })
      const completion = { upload: finalization(uploadId, { mediaId }), expiry: uploadExpiryJob.drop(uploadId), ...counted, ...room }
      await library.table.transact({ ...fileCreation(library, { mediaId, ...file }, folder), ...completion })
      return mediaId
    })
  }
  return retryOnConflict(make, hasLostRoom)
}

const inNeed = (upload: PartUploadRecord) => ({ ...upload, bytes: upload.parts.bytes, key: upload.parts.key })

/**
 * Joins the parts into an object. Its record is committed at once, even under an `Idempotency-Key`, because storage changes at once.
 * @throws NotFound, PartsMissing, Unprocessable, Conflict
 */
export async function join(library: Completing, upload: PartUploadRecord, md5: string | undefined): Promise<void> {
  const { partUploads } = library
  const table = library.table.origin ?? library.table
  if (partUploads.isArriving?.(upload.parts)) throw partInFlight()
  const received = await receivedOf(library, upload)
  // Another request may have joined them since the record was read.
  const isJoined = received === undefined && (await findPartUpload(library, upload.uploadId)).isFinalizing
  if (!isJoined) requireWhole(upload.parts, received ?? [])
  const record = uploadKey(upload.uploadId)
  if (md5 !== undefined && upload.parts.bytes > partUploads.maxComparedBytes) {
    if (isJoined && upload.compared === md5) return
    if (received && isMismatch(upload, md5, received)) throw wrongMd5()
    await askForComparison(library, table, upload, md5)
    throw comparing()
  }
  await table.update(record, { set: { isFinalizing: true } }, isOpen)
  try {
    await partUploads.joinParts(upload.parts, received ?? [], md5)
  } catch (error) {
    const parts = error instanceof WrongMd5 ? error.upload : upload.parts
    await held(table.update(record, { set: { parts }, remove: ['isFinalizing'] }, isOpen))
    if (error instanceof WrongMd5) throw wrongMd5()
    if (error instanceof PartInFlight) throw partInFlight()
    if (error instanceof InvalidParts || error instanceof CompositionMissing) throw new Conflict('Parts have changed meanwhile. Try again.')
    throw error
  }
}

/** Whether a job has found another MD5 for these parts. */
function isMismatch({ mismatch }: PartUploadRecord, md5: string, received: readonly ReceivedPart[]): boolean {
  return mismatch?.md5 === md5 && mismatch.parts === fingerprintOf(received)
}

/** Fingerprint of the parts' contents. */
export function fingerprintOf(received: readonly ReceivedPart[]): string {
  return createHash('sha256')
    .update(received.map(({ etag }) => etag).join(' '))
    .digest('hex')
}

async function askForComparison({ clock, by }: Completing, table: Table, upload: PartUploadRecord, md5: string): Promise<void> {
  const { uploadId, companyId } = upload
  const changes = { set: { isFinalizing: true, comparing: md5 } }
  const job = compareJob.ask({ clock, by }, { companyId, subject: uploadId, input: { uploadId, by } })
  // The condition fails where another request has asked for it, or has made the file.
  await held(table.transact({ upload: { update: uploadKey(uploadId), changes, if: { ...isOpen, comparing: { exists: false } } }, job }))
}

const comparing = () =>
  new Conflict('The MD5 of the file is being compared. Complete the upload again in a few seconds.', 'upload_finalizing', COMPARING_SECONDS)

const partInFlight = () => new Conflict('A part is arriving. Try again when it has.', 'part_in_flight', 1)

function wrongMd5(): Unprocessable {
  return new Unprocessable('checksum_mismatch', 'The parts together have another MD5. Send those that are wrong again.')
}

/** @throws PartsMissing, Unprocessable */
function requireWhole(upload: PartUpload, received: readonly ReceivedPart[]): void {
  const { parts } = partsOf(upload.bytes)
  const present = new Map(received.map((part) => [part.number, part.bytes]))
  const missing = Array.from({ length: parts }, (_, index) => index + 1).filter((number) => !present.has(number))
  if (missing.length > 0) throw new PartsMissing(missing)
  for (const [number, bytes] of present) {
    const expected = bytesOfPart(upload, number)
    if (bytes !== expected) throw new Unprocessable('size_mismatch', `Part ${number} has ${bytes} bytes instead of ${expected}.`)
  }
}
