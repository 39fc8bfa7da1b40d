import { createHash, randomBytes } from 'node:crypto'
import type { Clock } from '../../backends/clock/port.ts'
import {
  CompositionMissing,
  InvalidParts,
  PartInFlight,
  type PartRequest,
  type PartUpload,
  type PartUploads,
  type ReceivedPart,
  WrongMd5,
} from '../../backends/objects/port.ts'
import { ConditionFailed, type Key, type Operation, type Operations, type Table, type TableReader } from '../../backends/table/port.ts'
import type { FolderId, MediaId, UserId } from '../../vocabulary/ids.ts'
import type { Access } from '../access/access.ts'
import type { UserCaller } from '../access/caller.ts'
import type { Actor } from '../actor.ts'
import { held } from '../concurrency/conditional.ts'
import { retryOnConflict } from '../concurrency/retry.ts'
import { DUE_ATTRIBUTES, type Due, forEachDue, isDue, uploadDue } from '../due.ts'
import { Conflict, Gone, Invalid, NotFound, PartsMissing, TooLarge, Unprocessable } from '../errors.ts'
import { withFreshId } from '../fresh-id.ts'
import type { Writing } from '../library.ts'
import { fileCreation } from '../media/importing.ts'
import { makeOrHold } from '../quota/hold.ts'
import { giveBack, reserve } from '../quota/quota.ts'
import { hasNoRoom, keepRoom, roomEnd, roomUsed, type ShareLimits, takeRoom } from '../shares/room.ts'
import { noSuchLink } from '../shares/share.ts'
import type { FolderRecord } from '../tree/folder.ts'
import { reservationEnd } from '../usage/reservations.ts'
import { compareJob } from './compare-job.ts'
import { uploadedFilename } from './filename.ts'
import { bytesOfPart, partsOf } from './part-sizes.ts'
import { finalization, folderForUploads, hasLostRoom, objectPrefix, sentBy, stillAllowed, type UploadRecord, uploadKey } from './uploads.ts'

const DAY_SECONDS = 86_400
/** Lifetime of an upload in seconds, from the last part or the last URL of one. */
const LIFETIME_SECONDS = 7 * DAY_SECONDS
/** Seconds after which another URL extends the lifetime. */
const NOTED_SECONDS = 60
/** Seconds for which its record outlives it, so that late calls get the right error. */
const REMEMBERED_SECONDS = 9 * DAY_SECONDS
/** Most uploads that a user has open at a time. */
const MOST_OPEN = 1_000
/** Milliseconds for which the URL of a part is good. */
const URL_MS = 3_600_000
/** `Retry-After` in seconds while an MD5 is being compared. */
const COMPARING_SECONDS = 5

/** An upload in parts. Its id is no secret: only the user who began it, or visitors of the share link by which it began, may use it. */
export type PartUploadRecord = UploadRecord &
  Partial<Due> & {
    filename: string
    /** Id and key of the upload in storage. */
    parts: PartUpload
    /** The client's MD5 of the file, in lower-case hex, if any. */
    md5?: string
    /** Whether its parts are being or have been made into a file. */
    isFinalizing?: boolean
    /** MD5 with which a job compares the parts before they become a file. */
    comparing?: string
    /** The last mismatch: the expected MD5, and the parts by `fingerprintOf()`. */
    mismatch?: { md5: string; parts: string }
    /** Whether it has expired, and its parts are freed. */
    hasEnded?: boolean
    /** Latest arrival of the next part, in UNIX seconds. */
    expires: number
  }

/** The state that clients see. Aborting an upload deletes its record. */
export function stateOf({ mediaId, isFinalizing }: PartUploadRecord): 'open' | 'finalizing' | 'finalized' {
  if (mediaId !== undefined) return 'finalized'
  return isFinalizing ? 'finalizing' : 'open'
}

interface Finding {
  table: TableReader
  clock: Clock
  access: Access<UserCaller>
}

/** Dependencies of a use case, with the operation `Use` of uploads in storage alone. */
type Uploading<Use extends keyof PartUploads> = Finding & { table: Table; partUploads: Pick<PartUploads, Use>; by: Actor }

/** The client's description of its file. */
export interface AnnouncedFile {
  filename: string
  /** Size in bytes. */
  bytes: number
  /** Lower-case hex. */
  md5?: string | undefined
}

/**
 * Begins an upload in parts to a folder, which needs UPLOAD there, in a CDN folder READ and WRITE.
 * @param library includes the limits of share links for visitors
 * @param maxBytes largest accepted file
 * @throws NotFound, Forbidden, TooLarge, QuotaExceeded, Conflict when the user has too many open uploads, or `share_full`
 */
export async function beginPartUpload(
  { table, partUploads, clock, access, by, limits }: Uploading<'beginParts' | 'abortParts'> & { limits?: ShareLimits },
  folderId: FolderId,
  { filename, bytes, md5 }: AnnouncedFile,
  maxBytes: number,
): Promise<PartUploadRecord> {
  const { companyId } = await folderForUploads(access, folderId)
  if (bytes > maxBytes) throw new TooLarge(`A file may have ${maxBytes} bytes.`)
  const { user, opened } = access.caller
  const { userId } = user
  const shareId = opened?.shareId
  const uploadId = randomBytes(32).toString('base64url')
  const needed = { uploadId, companyId, bytes }
  const room = await reserve({ table, clock, by }, needed)
  const parts = await partUploads.beginParts(`${objectPrefix(uploadId)}file`, { bytes, partBytes: partsOf(bytes).partBytes })
  const record: PartUploadRecord = {
    ...uploadKey(uploadId),
    ...{ uploadId, companyId, folderId, userId, filename: uploadedFilename(filename), parts, ...(md5 !== undefined && { md5 }) },
    ...(shareId !== undefined && { shareId }),
    ...lifetime(uploadId, clock.now()),
  }
  try {
    if (shareId === undefined) await putOpen(table, record, room)
    else await takeRoom({ table, clock, limits: limits! }, { ...record, shareId, bytes }, { upload: { put: record }, ...room })
  } catch (error) {
    await Promise.all([partUploads.abortParts(parts), giveBack({ table }, needed)])
    throw error
  }
  return record
}

/**
 * URLs to which to put parts, and their end (UNIX milliseconds). Extends the upload to 7 days from now.
 * @throws NotFound, Gone, Conflict once it is being made a file, Invalid for unknown part numbers
 */
export async function partRequests(
  library: Uploading<'partRequest'>,
  uploadId: string,
  numbers: readonly number[],
): Promise<{ expires: number; requests: (PartRequest & { part: number })[] }> {
  const { table, partUploads, clock } = library
  const upload = await findOpen(library, uploadId)
  const { parts } = partsOf(upload.parts.bytes)
  if (numbers.some((number) => number > parts)) throw new Invalid({ path: 'parts', message: `must be numbers from 1 to ${parts}` })
  const times = lifetime(uploadId, clock.now())
  if (times.expires >= upload.expires + NOTED_SECONDS) {
    await table.update(uploadKey(uploadId), { set: times }, isOpen)
    await keepRoomOf(table, upload, times.expires)
  }
  const expires = clock.now() + URL_MS
  const requests = numbers.map(async (part) => {
    const signed = { number: part, bytes: bytesOfPart(upload.parts, part), expires }
    return { part, ...(await partUploads.partRequest(upload.parts, signed)) }
  })
  return { expires, requests: await Promise.all(requests) }
}

/** An upload, and the parts that have arrived. @throws NotFound, Gone */
export async function readPartUpload(
  library: Finding & { partUploads: Pick<PartUploads, 'receivedParts'> },
  uploadId: string,
): Promise<{ upload: PartUploadRecord; received: readonly ReceivedPart[] }> {
  const upload = await find(library, uploadId)
  return { upload, received: (upload.mediaId === undefined && (await receivedOf(library, upload))) || [] }
}

type Completing = Uploading<'isArriving' | 'receivedParts' | 'joinParts' | 'maxComparedBytes'>

/**
 * Makes a file of the parts. Idempotent: always returns the same file. The committed record starts its import. Files too large to be read within a
 * request have their MD5 compared by a job: until it is done, this throws Conflict `upload_finalizing`.
 * @param expectedMd5 MD5 of the file, in lower-case hex
 * @throws NotFound, Forbidden, Gone, PartsMissing, Unprocessable, QuotaExceeded when the file is held, and Conflict while a part arrives: the parts
 * stay for another try
 */
export async function completePartUpload(library: Completing, uploadId: string, expectedMd5: string | undefined): Promise<MediaId> {
  const upload = await find(library, uploadId)
  if (upload.mediaId !== undefined) return upload.mediaId
  const folder = await folderForUploads(library.access, upload.folderId)
  if (upload.comparing !== undefined) throw comparing()
  const md5 = expectedMd5 ?? upload.md5
  if (upload.md5 !== undefined && md5 !== upload.md5) throw wrongMd5()
  // The quota may hold it for so long.
  await keepRoomOf(library.table, upload, lifetime(uploadId, library.clock.now()).expires)
  try {
    await join(library, upload, md5)
    // The link may have ended while the parts were joined.
    return await makeFileOrHold(library, upload, upload.shareId === undefined ? folder : await stillAllowed(library, upload))
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error
    // A concurrent request has made the file.
    const { mediaId } = await find(library, uploadId)
    if (mediaId !== undefined) return mediaId
    throw hasNoRoom(error) ? noSuchLink() : error
  }
}

async function keepRoomOf(table: Table, { uploadId, shareId }: PartUploadRecord, expires: number): Promise<void> {
  if (shareId !== undefined) await keepRoom(table, { shareId, uploadId, expires })
}

/** Makes the file of a joined upload, or holds it where there is no room. @throws ConditionFailed when the file exists already, QuotaExceeded */
export function makeFileOrHold(library: Writing, upload: PartUploadRecord, folder: FolderRecord): Promise<MediaId> {
  const make = () => makeFile(library, upload, folder)
  return makeOrHold(library, inNeed(upload), lifetime(upload.uploadId, library.clock.now()), make)
}

/** The same without holding. @throws ConditionFailed when the file exists already, QuotaExceeded */
export function makeFile(library: Writing, upload: PartUploadRecord, folder: FolderRecord): Promise<MediaId> {
  const { uploadId, companyId, userId, filename, parts, shareId } = upload
  const file = { companyId, uploadedBy: userId, filename, uploadKey: parts.key, ...sentBy(upload) }
  const make = async () => {
    // Room was reserved when the upload began, unless the quota was set later.
    const room = await reserve(library, inNeed(upload))
    return withFreshId(async (mediaId: MediaId) => {
      const counted = shareId === undefined ? { open: openCount(userId, -1) } : roomUsed({ shareId, uploadId, bytes: parts.bytes })
      const completion = { upload: finalization(uploadId, mediaId, DUE_ATTRIBUTES), ...counted, ...room }
      await library.table.transact({ ...fileCreation(library, { mediaId, ...file }, folder), ...completion })
      return mediaId
    })
  }
  return retryOnConflict(make, hasLostRoom)
}

const inNeed = (upload: PartUploadRecord) => ({ ...upload, bytes: upload.parts.bytes, key: upload.parts.key })

/** Aborts an upload, and frees its parts. @throws NotFound, Gone, Conflict once it is being made a file */
export async function abortPartUpload(library: Uploading<'abortParts'>, uploadId: string): Promise<void> {
  const upload = await findOpen(library, uploadId)
  await end(library, upload, { delete: uploadKey(uploadId), if: isOpen })
}

/**
 * Expires uploads that got no part for 7 days.
 * @param outOfTime whether the rest is left to the next run
 */
export async function expirePartUploads(library: Ending & { clock: Clock }, outOfTime: () => boolean): Promise<void> {
  await forEachDue(library, 'UPLOAD', outOfTime, async (key) => {
    const upload = await library.table.get<PartUploadRecord>(key)
    const now = library.clock.now()
    if (!upload || !isDue(upload, now)) return
    // Its file may just be being made.
    if (upload.isFinalizing && now < (upload.expires + DAY_SECONDS) * 1000) return
    // The record stays, so that late calls get the right error.
    const ended = {
      update: key,
      changes: { set: { hasEnded: true }, remove: DUE_ATTRIBUTES },
      if: { ...isOpen, hasEnded: { exists: false } },
    } as const
    await end(library, upload, ended)
  })
}

type Ending = { table: Table; partUploads: Pick<PartUploads, 'abortParts'> }

export const isOpen = { pk: { exists: true }, mediaId: { exists: false } } as const

/** Ends an open upload. Frees the parts before the record, which finds them after a crash. */
async function end(
  { table, partUploads }: Ending,
  { userId, companyId, uploadId, parts, shareId }: PartUploadRecord,
  upload: Operation,
): Promise<void> {
  await partUploads.abortParts(parts)
  const counted = shareId === undefined ? { open: openCount(userId, -1) } : roomEnd({ shareId, uploadId })
  await held(table.transact({ upload, ...counted, reservation: reservationEnd(companyId, uploadId) }))
}

/** Stores the record of a new upload. @param room operations that reserve its room @throws Conflict when the user has too many */
async function putOpen(table: Table, record: PartUploadRecord, room: Operations): Promise<void> {
  const { userId } = record
  const put = () =>
    table.transact({ upload: { put: record }, open: { ...openCount(userId, 1), if: { open: { below: MOST_OPEN } } }, ...room })
  if (await held(put())) return
  // The user's first upload has no counter yet.
  await held(table.put({ ...openKey(userId), open: 0 }, { pk: { exists: false } }))
  if (!(await held(put()))) throw new Conflict(`You have ${MOST_OPEN} open uploads. Complete some, or give some up.`, 'too_many_uploads')
}

const openKey = (userId: UserId): Key => ({ pk: `USER#${userId}`, sk: 'OPEN-UPLOADS' })

/** Counts the open uploads of a user. */
const openCount = (userId: UserId, by: 1 | -1) => ({ update: openKey(userId), changes: { add: { open: by } } })

/** Joins the parts into an object. Its record is committed at once, even under an `Idempotency-Key`, because storage changes at once. */
async function join(library: Completing, upload: PartUploadRecord, md5: string | undefined): Promise<void> {
  const { partUploads } = library
  const table = library.table.origin ?? library.table
  if (partUploads.isArriving?.(upload.parts)) throw partInFlight()
  const received = await receivedOf(library, upload)
  // Another request may have joined them since the record was read.
  const isJoined = received === undefined && (await find(library, upload.uploadId)).isFinalizing
  if (!isJoined) requireWhole(upload.parts, received ?? [])
  const record = uploadKey(upload.uploadId)
  if (md5 !== undefined && upload.parts.bytes > partUploads.maxComparedBytes) {
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

/** @throws NotFound, Gone when it has expired */
async function find({ table, clock, access }: Finding, uploadId: string): Promise<PartUploadRecord> {
  const upload = /^[\w-]{43}$/.test(uploadId) ? await table.get<PartUploadRecord>(uploadKey(uploadId)) : undefined
  const { user, opened } = access.caller
  if (!upload?.parts || upload.userId !== user.userId || upload.shareId !== opened?.shareId) throw new NotFound('upload')
  const isOver = upload.mediaId === undefined && upload.expires * 1000 <= clock.now()
  if (isOver) throw new Gone('upload_expired', 'This upload has ended: no part came for 7 days.')
  return upload
}

/** @throws NotFound, Gone, Conflict once it is being made a file */
async function findOpen(library: Finding, uploadId: string): Promise<PartUploadRecord> {
  const upload = await find(library, uploadId)
  if (upload.mediaId !== undefined || upload.isFinalizing) throw new Conflict('This upload is a file already.', 'upload_finalized')
  return upload
}

/** The received parts; undefined where the upload has been joined or aborted in storage. */
export async function receivedOf(
  { partUploads }: { partUploads: Pick<PartUploads, 'receivedParts'> },
  { parts }: PartUploadRecord,
): Promise<readonly ReceivedPart[] | undefined> {
  try {
    return await partUploads.receivedParts(parts)
  } catch (error) {
    if (error instanceof CompositionMissing) return undefined
    throw error
  }
}

/** @param now start, or time of the last URL, in UNIX milliseconds */
function lifetime(uploadId: string, now: number) {
  const expires = Math.floor(now / 1000) + LIFETIME_SECONDS
  return { expires, ttl: expires + REMEMBERED_SECONDS, ...uploadDue(uploadId, expires * 1000) }
}
