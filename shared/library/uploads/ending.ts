import type { Clock } from '../../backends/clock/port.ts'
import type { PartUploads } from '../../backends/objects/port.ts'
import type { Key, Operation, Operations, Table } from '../../backends/table/port.ts'
import type { UserId } from '../../vocabulary/ids.ts'
import { asRead, held } from '../concurrency/conditional.ts'
import type { Again } from '../jobs/run.ts'
import { resizeRoom } from '../quota/quota.ts'
import { findShare, type ShareRecord } from '../shares/share.ts'
import { releaseReservation, reservationArrived, reservationsOf, uploadIdOfReservation } from '../shares/upload-reservations.ts'
import { reservationEnd } from '../usage/reservations.ts'
import { dueTimeOf, isOpen, type PartUploadRecord, receivedOf, URL_MS } from './part-upload.ts'
import { type UploadRecord, uploadKey } from './uploads.ts'

/** Seconds for which the file of an upload whose time is over may still be being made. */
const FINALIZING_SECONDS = 86_400

/** Dependencies of what ends uploads. */
export interface Ending {
  table: Table
  clock: Clock
  partUploads: Pick<PartUploads, 'abortParts' | 'receivedParts'>
}

type AbortsParts = { partUploads: Pick<PartUploads, 'abortParts'> }
type SomeUpload = UploadRecord | PartUploadRecord

/** Key of the count of a user's open uploads. */
export const openKey = (userId: UserId): Key => ({ pk: `USER#${userId}`, sk: 'OPEN-UPLOADS' })

/** The write that counts the open uploads of a user. */
export const openCount = (userId: UserId, by: 1 | -1) => ({ update: openKey(userId), changes: { add: { open: by } } })

/**
 * Ends an upload in parts whose time is over, and looks after one by a share link of which no URL is good any more. Idempotent.
 * @returns when the next look is due; undefined for an upload that is a file, or has ended
 */
export async function expirePartUpload(library: Ending, uploadId: string): Promise<Again | undefined> {
  const upload = await library.table.get<PartUploadRecord>(uploadKey(uploadId))
  if (!upload || upload.mediaId !== undefined || upload.hasEnded) return undefined
  const now = library.clock.now()
  const again = (at: number): Again => ({ inSeconds: (at - now) / 1000 })
  if (dueTimeOf(upload) > now) return again(dueTimeOf(upload))
  if (upload.expires * 1000 > now) {
    await lookAfter(library, upload, await findShare(library, upload.shareId!))
    return again(Math.min(now + URL_MS, upload.expires * 1000))
  }
  // Its file may just be being made.
  const finalized = (upload.expires + FINALIZING_SECONDS) * 1000
  if (upload.isFinalizing && now < finalized) return again(finalized)
  await endUpload(library, upload)
  return undefined
}

/**
 * Ends a link's open uploads where it was removed, has expired, takes no uploads any more, or has another address.
 * @param outOfTime whether the rest is left to the next run
 * @returns whether something is left
 */
export async function endSharedUploads(library: Ending, shareId: string, outOfTime: () => boolean): Promise<boolean> {
  const share = await findShare(library, shareId)
  for (const room of await reservationsOf(library, shareId)) {
    if (outOfTime()) return true
    const upload = await library.table.get<UploadRecord>(uploadKey(uploadIdOfReservation(room)))
    if (upload && upload.mediaId === undefined) await lookAfter(library, upload, share)
  }
  return false
}

/** @param share the link by which it began; undefined where that was removed */
async function lookAfter(library: Ending, upload: SomeUpload, share: ShareRecord | undefined): Promise<void> {
  const now = library.clock.now()
  const isOver = !share?.upload || share.secretHash !== upload.secretHash || (share.expires !== undefined && share.expires <= now)
  if (isOver) await endUpload(library, upload)
  else if ('parts' in upload && !upload.isFinalizing) await settle(library, { ...upload, shareId: share.shareId }, share)
}

/** Lets an upload have room no longer than its link lives and, once no URL is good any more, no more of it than has arrived. */
async function settle(library: Ending, upload: PartUploadRecord & { shareId: string }, share: ShareRecord): Promise<void> {
  const { table, clock } = library
  const { uploadId, shareId, expires, urlsEnd } = upload
  const ends = roomEnds(upload, share)
  if (dueTimeOf(upload) > clock.now()) return resizeRoom(library, upload, { ttl: ends })
  const received = (await receivedOf(library, upload)) ?? []
  const bytes = received.reduce((sum, part) => sum + part.bytes, 0)
  const next = Math.min(clock.now() + URL_MS, expires * 1000)
  // URLs that are handed out meanwhile have another end.
  const settled = { update: uploadKey(uploadId), changes: { set: { urlsEnd: next } }, if: { ...isOpen, urlsEnd: asRead(urlsEnd) } } as const
  if (await held(table.transact({ upload: settled, ...reservationArrived({ shareId, uploadId }, bytes) }))) {
    await resizeRoom(library, upload, { bytes, ttl: ends })
  }
}

/** When an upload by a link has no room in its company's quota any more, in UNIX seconds. */
export const roomEnds = ({ expires }: Pick<PartUploadRecord, 'expires'>, link: Pick<ShareRecord, 'expires'>): number =>
  Math.min(expires, Math.floor((link.expires ?? Number.POSITIVE_INFINITY) / 1000))

/**
 * Ends an open upload. Frees its parts before the record, which finds them after a crash.
 * @param change of the record: by default it stays, so that late calls get the right error, and the sweep finds what was stored
 */
export async function endUpload(
  library: Pick<Ending, 'table' | 'clock'> & AbortsParts,
  upload: SomeUpload,
  change = ended(library, upload),
): Promise<void> {
  if ('parts' in upload) await library.partUploads.abortParts(upload.parts)
  await endRecord(library, upload, change)
}

/** Ends the record of an open upload of which no parts are stored. @returns whether it was open */
export function endRecord(library: Pick<Ending, 'table' | 'clock'>, upload: SomeUpload, change = ended(library, upload)): Promise<boolean> {
  const { companyId, uploadId } = upload
  return held(library.table.transact({ upload: change, ...countedOut(upload), reservation: reservationEnd(companyId, uploadId) }))
}

/** The writes by which an upload counts as open no more. */
function countedOut(upload: SomeUpload): Operations {
  const { userId, uploadId, shareId } = upload
  if (shareId !== undefined) return releaseReservation({ shareId, uploadId })
  return 'parts' in upload ? { open: openCount(userId, -1) } : {}
}

function ended({ clock }: Pick<Ending, 'clock'>, { uploadId, expires }: SomeUpload): Operation {
  const now = Math.floor(clock.now() / 1000)
  const changes = { set: { hasEnded: true, expires: Math.min(now, expires ?? now) } }
  return { update: uploadKey(uploadId), changes, if: { ...isOpen, hasEnded: { exists: false } } }
}
