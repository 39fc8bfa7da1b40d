import type { Clock } from '../../backends/clock/port.ts'
import { ConditionFailed, type Key, type Operations, type Table, WriteConflict } from '../../backends/table/port.ts'
import type { Settings } from '../../settings.ts'
import { asRead, held } from '../concurrency/conditional.ts'
import { retryOnConflict } from '../concurrency/retry.ts'
import { Conflict, NotFound, TooLarge } from '../errors.ts'
import type { Reading } from '../library.ts'
import { everyItem } from '../pages.ts'
import { countsKey, noSuchLink, type ShareCounts, shareKey } from './share.ts'

/** Most files that one link takes, and most bytes of all of them. */
export type ShareLimits = Pick<Settings, 'shareMaxFiles' | 'shareMaxBytes'>

/** An upload's reservation of a link's limits, until its file is made or the upload ends. */
export type UploadReservation = Key & {
  /** What has arrived, and what URLs that were handed out may still bring. 0 for a form: its size is known once it is posted. */
  bytes: number
  /** How much of them had arrived when its sender last asked for URLs, or at the last look. */
  arrived: number
  /** Who sends it (`sourceOf`). */
  source: string
  /** End of the upload, and of the reservation, in UNIX seconds. */
  expires: number
  ttl: number
}

/** The upload whose reservation it is. */
export interface Sent {
  shareId: string
  uploadId: string
}

const PREFIX = 'ROOM#'
/** Seconds for which a record outlives its upload. */
const KEPT_SECONDS = 16 * 86_400
/** The share of a link's limits that one source may have under way, so that others find room, too. */
const SHARE_OF_SOURCE = 1 / 2

const reservationKey = ({ shareId, uploadId }: Sent): Key => ({ pk: shareKey(shareId).pk, sk: PREFIX + uploadId })

/** The upload of a reservation, by its key. */
export const uploadIdOfReservation = ({ sk }: UploadReservation): string => sk.slice(PREFIX.length)

type Limited = { table: Table; clock: Clock; limits: ShareLimits }

/**
 * Opens an upload. It takes one of the link's files, and none of its bytes before something arrives or may arrive. Concurrent uploads never exceed
 * the limits together.
 * @param upload.bytes size of the file, 0 where it isn't known: whether there is room for it now
 * @param also further operations of the transaction
 * @returns remaining bytes
 * @throws NotFound where the link is gone, TooLarge, Conflict `share_full`
 */
export function reserveUpload(
  library: Limited,
  { shareId, uploadId, source, bytes, expires }: Sent & Pick<UploadReservation, 'source' | 'bytes' | 'expires'>,
  also: Operations,
): Promise<number> {
  const room: UploadReservation = { ...reservationKey({ shareId, uploadId }), bytes: 0, arrived: 0, source, ...endOf(expires) }
  return claim(library, { shareId, uploadId }, ({ others }) => {
    const most = Math.ceil(library.limits.shareMaxFiles * SHARE_OF_SOURCE)
    if (others.filter((other) => other.source === source).length >= most) throw sourceFull()
    return { bytes, writes: async () => ({ room: { put: room }, ...also }) }
  })
}

/** More of an upload. */
interface More {
  /** Bytes that may arrive by URLs that are handed out now. */
  asked: number
  /** What has arrived. */
  arrived: number
  /** Size of the file. */
  bytes: number
  /** UNIX seconds */
  expires: number
}

/**
 * Grows an upload's reservation by the URLs that it is about to be handed out. A source whose URLs were handed out and have brought nothing gets no
 * more of them.
 * @param left bytes that the company may still take
 * @param also further operations of the transaction, made of the bytes that the upload has reserved then
 * @throws NotFound where the link or the upload is gone, Conflict `share_full`
 */
export async function growReservation(
  library: Limited,
  sent: Sent,
  { asked, arrived, bytes, expires }: More,
  left: number,
  also: (bytes: number) => Promise<Operations>,
): Promise<void> {
  await claim(library, sent, ({ own, others }) => {
    if (!own) throw new NotFound('upload')
    const now = { ...own, arrived }
    const reserved = Math.min(bytes, Math.max(own.bytes, arrived) + asked)
    const missing = [now, ...others].filter(({ source }) => source === own.source).reduce((sum, each) => sum + missingOf(each), 0)
    const most = Math.min(library.limits.shareMaxBytes, left + missing) * SHARE_OF_SOURCE
    if (reserved > own.bytes && missing > 0 && missing >= most) throw sourceFull()
    const set = { bytes: reserved, arrived, ...endOf(expires) }
    const room = { update: reservationKey(sent), changes: { set }, if: { pk: { exists: true }, bytes: { equals: own.bytes } } } as const
    return { bytes: reserved, writes: async () => ({ room, ...(await also(reserved)) }) }
  })
}

const missingOf = ({ bytes, arrived }: UploadReservation): number => Math.max(0, bytes - arrived)

/**
 * Counts what has arrived of an upload. Does nothing without a reservation: its file is made, or its link is gone.
 * @throws TooLarge, Conflict `share_full`
 */
export async function noteArrived(
  library: Limited,
  sent: Sent,
  { bytes, expires }: Pick<UploadReservation, 'bytes' | 'expires'>,
): Promise<void> {
  const grown = claim(library, sent, ({ own }) => {
    const reserved = Math.max(own?.bytes ?? 0, bytes)
    const set = { bytes: reserved, arrived: bytes, ...endOf(expires) }
    return {
      bytes: reserved,
      writes: async () => ({ room: { update: reservationKey(sent), changes: { set }, if: { pk: { exists: true } } } }),
    }
  })
  await held(grown)
}

const endOf = (expires: number) => ({ expires, ttl: expires + KEPT_SECONDS })

interface Claim {
  /** What the upload has reserved then, in bytes. */
  bytes: number
  writes(): Promise<Operations>
}

/** @returns remaining bytes */
async function claim(
  library: Limited,
  sent: Sent,
  of: (reservations: { own: UploadReservation | undefined; others: UploadReservation[] }) => Claim,
): Promise<number> {
  const { table, limits } = library
  const { shareMaxFiles, shareMaxBytes } = limits
  const { shareId } = sent
  const attempt = async () => {
    // Every reservation and every file increments `sends`, so the write fails if anything changed since this read.
    const counts = await table.get<ShareCounts>(countsKey(shareId))
    if (!counts) throw noSuchLink()
    const reservations = await reservationsOf(library, shareId)
    const others = reservations.filter(({ sk }) => sk !== reservationKey(sent).sk)
    const { bytes, writes } = of({ own: reservations.find(({ sk }) => sk === reservationKey(sent).sk), others })
    if (bytes > shareMaxBytes) throw new TooLarge(`By a link at most ${shareMaxBytes} bytes may be sent.`)
    const left = shareMaxBytes - counts.bytes - others.reduce((sum, other) => sum + other.bytes, 0) - bytes
    if (counts.uploads + others.length >= shareMaxFiles) throw full(`at most ${shareMaxFiles} files`)
    if (left < 0) throw full(`at most ${shareMaxBytes} bytes`)
    const isUnchanged = { pk: { exists: true }, sends: asRead(counts.sends) }
    const counted = { update: countsKey(shareId), changes: { add: { sends: 1 } }, if: isUnchanged }
    await table.transact({ ...(await writes()), counts: counted })
    return left
  }
  return retryOnConflict(attempt, (error) => error instanceof WriteConflict || error.failed('counts'))
}

const full = (most: string) => new Conflict(`By this link ${most} may be sent.`, 'share_full')

const sourceFull = () =>
  new Conflict('Too much that you began to send by this link has not arrived. Send that first, or give some of it up.', 'share_full')

/** The reservations of a link's open uploads. */
export async function reservationsOf({ table, clock }: Reading & { clock: Clock }, shareId: string): Promise<UploadReservation[]> {
  const query = { pk: shareKey(shareId).pk, sk: { beginsWith: PREFIX }, consistent: true }
  const reservations = await Array.fromAsync(everyItem<UploadReservation>(table, query))
  return reservations.filter(({ expires }) => expires * 1000 > clock.now())
}

/** Extends the reservation of an upload that lives longer. */
export async function extendReservation(table: Table, sent: Sent, expires: number): Promise<void> {
  await held(table.update(reservationKey(sent), { set: endOf(expires) }, { pk: { exists: true } }))
}

/** The write that lets an upload's reservation be what has arrived: no URL is good any more. */
export const reservationArrived = (sent: Sent, bytes: number): Operations => ({
  room: { update: reservationKey(sent), changes: { set: { bytes, arrived: bytes } }, if: { pk: { exists: true } } },
})

/** The writes that count a file that was sent. They fail where the link is gone. */
export const reservationUsed = ({ shareId, uploadId, bytes }: Sent & Pick<UploadReservation, 'bytes'>): Operations => ({
  shareRoom: { delete: reservationKey({ shareId, uploadId }), if: { pk: { exists: true } } },
  shareCounts: { update: countsKey(shareId), changes: { add: { uploads: 1, bytes, sends: 1 } }, if: { pk: { exists: true } } },
})

/** Whether the writes of `reservationUsed` were refused. */
export const reservationRefused = (error: unknown): boolean =>
  error instanceof ConditionFailed && (error.failed('shareRoom') || error.failed('shareCounts'))

/** The write that releases an upload's reservation. */
export const releaseReservation = (sent: Sent): Operations => ({ shareRoom: { delete: reservationKey(sent) } })
