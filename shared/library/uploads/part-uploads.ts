import { randomBytes } from 'node:crypto'
import type { Clock } from '../../backends/clock/port.ts'
import type { PartRequest, PartUploads, ReceivedPart } from '../../backends/objects/port.ts'
import type { Operations, Table, TableReader } from '../../backends/table/port.ts'
import type { Access } from '../access/access.ts'
import type { UserCaller } from '../access/caller.ts'
import type { Actor } from '../actor.ts'
import { held } from '../concurrency/conditional.ts'
import { retryOnConflict } from '../concurrency/retry.ts'
import { Conflict, Gone, Invalid, NotFound, TooLarge } from '../errors.ts'
import type { Expecting } from '../media/find.ts'
import { giveBack, requireRoom, reserve, roomIn } from '../quota/quota.ts'
import { sourceOf } from '../shares/share.ts'
import { growReservation, reserveUpload, type ShareLimits } from '../shares/upload-reservations.ts'
import { companyFor, type Destination } from './destination.ts'
import { endUpload, openCount, openKey, roomEnds } from './ending.ts'
import { uploadedFilename } from './filename.ts'
import {
  bytesOfPart,
  dueTimeOf,
  isOpen,
  lifetime,
  type PartUploadRecord,
  partsOf,
  receivedOf,
  URL_MS,
  uploadExpiryJob,
} from './part-upload.ts'
import { hasLostRoom, objectPrefix, type UploadRecord, uploadKey } from './uploads.ts'

/** Seconds after which another URL extends the lifetime. */
const NOTED_SECONDS = 60
/** Most uploads that a user has open at a time. */
const MOST_OPEN = 1_000

/** Dependencies of what reads uploads in parts. */
export interface Finding {
  table: TableReader
  clock: Clock
  access: Access<UserCaller>
}

/** Dependencies of a use case, with the operation `Use` of uploads in storage alone. */
export type Uploading<Use extends keyof PartUploads> = Finding & { table: Table; partUploads: Pick<PartUploads, Use>; by: Actor }

/** What is known of visitors who send: the limits of share links, and their network address. */
export interface Sending {
  limits: ShareLimits
  sourceAddress: string
}

/** The client's description of its file. */
export interface AnnouncedFile {
  filename: string
  /** Size in bytes. */
  bytes: number
  /** Lower-case hex. */
  md5?: string | undefined
}

/**
 * Begins an upload in parts.
 * @param library.sending of visitors
 * @param maxBytes largest accepted file
 * @throws what `companyFor` throws, TooLarge, QuotaExceeded, Conflict when the user has too many open uploads, or `share_full`
 */
export async function beginPartUpload(
  library: Uploading<'beginParts' | 'abortParts'> & Expecting & { sending?: Sending },
  destination: Destination,
  { filename, bytes, md5 }: AnnouncedFile,
  maxBytes: number,
): Promise<PartUploadRecord> {
  const { table, partUploads, clock, access, sending } = library
  const companyId = await companyFor(library, destination)
  if (bytes > maxBytes) throw new TooLarge(`A file may have ${maxBytes} bytes.`)
  const { user, opened } = access.caller
  const { userId } = user
  const { shareId, secretHash } = opened ?? {}
  const uploadId = randomBytes(32).toString('base64url')
  const needed = { uploadId, companyId, bytes }
  // A visitor's upload takes room as its URLs are handed out.
  const room = opened ? {} : await reserve(library, needed)
  if (opened) await requireRoom(library, companyId, bytes)
  const parts = await partUploads.beginParts(`${objectPrefix(uploadId)}file`, { bytes, partBytes: partsOf(bytes).partBytes })
  const record: PartUploadRecord = {
    ...uploadKey(uploadId),
    ...destination,
    ...{ uploadId, companyId, userId, filename: uploadedFilename(filename), parts, ...(md5 !== undefined && { md5 }) },
    ...(shareId !== undefined && { shareId, secretHash }),
    ...lifetime({ shareId }, clock.now()),
  }
  const expiry = uploadExpiryJob.ask(library, { companyId, subject: uploadId, input: { uploadId }, at: dueTimeOf(record) })
  try {
    if (shareId === undefined) await putOpen(table, record, { expiry, ...room })
    else {
      const { limits, sourceAddress } = sending!
      const sent = { shareId, uploadId, source: sourceOf(shareId, sourceAddress), bytes, expires: record.expires }
      await reserveUpload({ table, clock, limits }, sent, { upload: { put: record }, expiry })
    }
  } catch (error) {
    await Promise.all([partUploads.abortParts(parts), giveBack({ table }, needed)])
    throw error
  }
  return record
}

/** URLs to which to put parts. */
export interface PartRequests {
  /** Their end, in UNIX milliseconds. */
  expires: number
  requests: (PartRequest & { part: number })[]
}

/**
 * URLs to which to put parts. Extends the upload to 7 days from now.
 * @throws NotFound, Gone, Conflict once it is being made a file, Invalid for unknown part numbers
 */
export async function partRequests(library: Uploading<'partRequest'>, uploadId: string, numbers: readonly number[]): Promise<PartRequests> {
  const { table, clock } = library
  const upload = await openWithParts(library, uploadId, numbers)
  const times = lifetime(upload, clock.now())
  if (times.expires >= upload.expires + NOTED_SECONDS) await table.update(uploadKey(uploadId), { set: times }, isOpen)
  return signedRequests(library, upload, numbers)
}

/**
 * The same for visitors of a share link. What the URLs allow counts for the limits of the link and the company's quota from now on; the upload is
 * extended to a day from now.
 * @throws NotFound, Gone, Invalid, QuotaExceeded, Conflict, also `share_full`
 */
export async function sharedPartRequests(
  library: Uploading<'partRequest' | 'receivedParts'> & { limits: ShareLimits },
  uploadId: string,
  numbers: readonly number[],
): Promise<PartRequests> {
  const { clock, access } = library
  const upload = await openWithParts(library, uploadId, numbers)
  const { companyId, parts } = upload
  const { shareId, ...link } = access.caller.opened!
  const times = lifetime(upload, clock.now())
  const received = new Map((await receivedOf(library, upload))?.map(({ number, bytes }) => [number, bytes]))
  const more = {
    asked: sum([...new Set(numbers)].filter((number) => !received.has(number)).map((number) => bytesOfPart(parts, number))),
    arrived: sum([...received.values()]),
    bytes: parts.bytes,
    expires: times.expires,
  }
  const also = async (bytes: number) => ({
    upload: { update: uploadKey(uploadId), changes: { set: times }, if: isOpen },
    ...(await reserve(library, { companyId, uploadId, bytes, roomEnds: roomEnds(times, link) })),
  })
  const grow = async () => growReservation(library, { shareId, uploadId }, more, await roomIn(library, companyId), also)
  await retryOnConflict(grow, hasLostRoom)
  return signedRequests(library, upload, numbers)
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0)

/** @throws NotFound, Gone, Conflict, Invalid for unknown part numbers */
async function openWithParts(library: Finding, uploadId: string, numbers: readonly number[]): Promise<PartUploadRecord> {
  const upload = await findOpen(library, uploadId)
  const { parts } = partsOf(upload.parts.bytes)
  if (numbers.some((number) => number > parts)) throw new Invalid({ path: 'parts', message: `must be numbers from 1 to ${parts}` })
  return upload
}

async function signedRequests(
  { partUploads, clock }: { partUploads: Pick<PartUploads, 'partRequest'>; clock: Clock },
  upload: PartUploadRecord,
  numbers: readonly number[],
): Promise<PartRequests> {
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
  const upload = await findPartUpload(library, uploadId)
  return { upload, received: (upload.mediaId === undefined && (await receivedOf(library, upload))) || [] }
}

/**
 * Aborts an upload, and frees its parts: one of the caller's, or one by a share link that they made or of a company that they are admin of.
 * @throws NotFound, Gone, Conflict once it is being made a file
 */
export async function abortPartUpload(library: Uploading<'abortParts'>, uploadId: string): Promise<void> {
  const record = await recordOf(library, uploadId)
  const upload = requireOpen(isSentByLink(library, record) ? record : requireOwn(library, record))
  // The record of a form stays: by it the sweep finds what was posted.
  await endUpload(library, upload, 'parts' in upload ? { delete: uploadKey(uploadId), if: isOpen } : undefined)
}

/** Whether it is an open upload by a share link of the caller's own, or of a company that they are admin of. */
function isSentByLink({ access }: Finding, upload: SomeUpload | undefined): upload is SomeUpload {
  const { user, opened } = access.caller
  if (opened || upload?.shareId === undefined || upload.hasEnded) return false
  const isOwn = upload.userId === user.userId && access.isMember(upload.companyId)
  return isOwn || access.isAdmin(upload.companyId)
}

/** Stores the record of a new upload. @param also operations of the same transaction @throws Conflict when the user has too many */
async function putOpen(table: Table, record: PartUploadRecord, also: Operations): Promise<void> {
  const { userId } = record
  const put = () =>
    table.transact({ upload: { put: record }, open: { ...openCount(userId, 1), if: { open: { below: MOST_OPEN } } }, ...also })
  if (await held(put())) return
  // The user's first upload has no counter yet.
  await held(table.put({ ...openKey(userId), open: 0 }, { pk: { exists: false } }))
  if (!(await held(put()))) throw new Conflict(`You have ${MOST_OPEN} open uploads. Complete some, or give some up.`, 'too_many_uploads')
}

/** An upload in parts of the caller's. @throws NotFound, Gone when it has expired */
export async function findPartUpload(library: Finding, uploadId: string): Promise<PartUploadRecord> {
  return requireOwn(library, await recordOf(library, uploadId))
}

type SomeUpload = UploadRecord | PartUploadRecord

async function recordOf({ table }: Finding, uploadId: string): Promise<SomeUpload | undefined> {
  return /^[\w-]{43}$/.test(uploadId) ? table.get<SomeUpload>(uploadKey(uploadId)) : undefined
}

/** @throws NotFound unless it is an upload in parts of the caller's, Gone when it has expired */
function requireOwn({ clock, access }: Finding, upload: SomeUpload | undefined): PartUploadRecord {
  const { user, opened } = access.caller
  const isOfCaller = upload?.userId === user.userId && upload.shareId === opened?.shareId && upload.secretHash === opened?.secretHash
  if (!upload || !('parts' in upload) || !isOfCaller) throw new NotFound('upload')
  const isOver = upload.mediaId === undefined && (upload.hasEnded || upload.expires * 1000 <= clock.now())
  if (isOver) throw new Gone('upload_expired', `This upload has ended: ${whyOver(upload)}.`)
  return upload
}

function whyOver(upload: SomeUpload): string {
  if (upload.shareId !== undefined) return 'no part came for a day, or its link took no uploads meanwhile'
  return 'replaces' in upload ? 'no part came for 7 days, or it could not replace its file' : 'no part came for 7 days'
}

/** @throws NotFound, Gone, Conflict once it is being made a file */
async function findOpen(library: Finding, uploadId: string): Promise<PartUploadRecord> {
  return requireOpen(await findPartUpload(library, uploadId))
}

/** @throws Conflict once it is being made a file */
function requireOpen<Upload extends UploadRecord | PartUploadRecord>(upload: Upload): Upload {
  if (upload.mediaId !== undefined || ('isFinalizing' in upload && upload.isFinalizing))
    throw new Conflict('This upload is a file already.', 'upload_finalized')
  return upload
}
