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
export type Room = Key & {
  /** What has arrived, and what URLs that were handed out may still bring. 0 for a form: its size is known once it is posted. */
  bytes: number
  /** How much of them had arrived when its sender last asked for URLs, or at the last look. */
  arrived: number
  /** Who sends it (source.ts). */
  source: string
  /** End of the upload, and of the reservation, in UNIX seconds. */
  expires: number
  ttl: number
}

/** The upload whose room it is. */
export interface Sent {
  shareId: string
  uploadId: string
}

const PREFIX = 'ROOM#'
/** Seconds for which a record outlives its upload. */
const KEPT_SECONDS = 16 * 86_400
/** What one source may have under way of all that a link takes: others find room, too. */
const SHARE_OF_SOURCE = 1 / 2

const roomKey = ({ shareId, uploadId }: Sent): Key => ({ pk: shareKey(shareId).pk, sk: PREFIX + uploadId })

/** The upload whose room it is, by its key. */
export const uploadIdOfRoom = ({ sk }: Room): string => sk.slice(PREFIX.length)

type Limited = { table: Table; clock: Clock; limits: ShareLimits }

/**
 * Opens an upload. It takes one of the link's files, and none of its bytes before something arrives or may arrive. Concurrent uploads never exceed
 * the limits together.
 * @param upload.bytes size of the file, 0 where it isn't known: whether there is room for it now
 * @param also further operations of the transaction
 * @returns remaining bytes
 * @throws NotFound where the link is gone, TooLarge, Conflict `share_full`
 */
export function takeRoom(
  library: Limited,
  { shareId, uploadId, source, bytes, expires }: Sent & Pick<Room, 'source' | 'bytes' | 'expires'>,
  also: Operations,
): Promise<number> {
  const room: Room = { ...roomKey({ shareId, uploadId }), bytes: 0, arrived: 0, source, ...endOf(expires) }
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
export async function handOut(
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
    const missing = [now, ...others].filter(({ source }) => source === own.source).reduce((sum, room) => sum + missingOf(room), 0)
    const most = Math.min(library.limits.shareMaxBytes, left + missing) * SHARE_OF_SOURCE
    if (reserved > own.bytes && missing > 0 && missing >= most) throw sourceFull()
    const set = { bytes: reserved, arrived, ...endOf(expires) }
    const room = { update: roomKey(sent), changes: { set }, if: { pk: { exists: true }, bytes: { equals: own.bytes } } } as const
    return { bytes: reserved, writes: async () => ({ room, ...(await also(reserved)) }) }
  })
}

const missingOf = ({ bytes, arrived }: Room): number => Math.max(0, bytes - arrived)

/**
 * Counts what has arrived of an upload. Does nothing without a reservation: its file is made, or its link is gone.
 * @throws TooLarge, Conflict `share_full`
 */
export async function growRoom(library: Limited, sent: Sent, { bytes, expires }: Pick<Room, 'bytes' | 'expires'>): Promise<void> {
  const grown = claim(library, sent, ({ own }) => {
    const reserved = Math.max(own?.bytes ?? 0, bytes)
    const set = { bytes: reserved, arrived: bytes, ...endOf(expires) }
    return { bytes: reserved, writes: async () => ({ room: { update: roomKey(sent), changes: { set }, if: { pk: { exists: true } } } }) }
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
async function claim(library: Limited, sent: Sent, of: (rooms: { own: Room | undefined; others: Room[] }) => Claim): Promise<number> {
  const { table, limits } = library
  const { shareMaxFiles, shareMaxBytes } = limits
  const { shareId } = sent
  const attempt = async () => {
    // Every reservation and every file increments `sends`, so the write fails if anything changed since this read.
    const counts = await table.get<ShareCounts>(countsKey(shareId))
    if (!counts) throw noSuchLink()
    const rooms = await roomsOf(library, shareId)
    const others = rooms.filter(({ sk }) => sk !== roomKey(sent).sk)
    const { bytes, writes } = of({ own: rooms.find(({ sk }) => sk === roomKey(sent).sk), others })
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

/** The rooms of a link's open uploads. */
export async function roomsOf({ table, clock }: Reading & { clock: Clock }, shareId: string): Promise<Room[]> {
  const query = { pk: shareKey(shareId).pk, sk: { beginsWith: PREFIX }, consistent: true }
  const rooms = await Array.fromAsync(everyItem<Room>(table, query))
  return rooms.filter(({ expires }) => expires * 1000 > clock.now())
}

/** Extends the reservation of an upload that lives longer. */
export async function keepRoom(table: Table, sent: Sent, expires: number): Promise<void> {
  await held(table.update(roomKey(sent), { set: endOf(expires) }, { pk: { exists: true } }))
}

/** The write that lets an upload's reservation be what has arrived: no URL is good any more. */
export const roomArrived = (sent: Sent, bytes: number): Operations => ({
  room: { update: roomKey(sent), changes: { set: { bytes, arrived: bytes } }, if: { pk: { exists: true } } },
})

/** The writes that count a file that was sent. They fail where the link is gone. */
export const roomUsed = ({ shareId, uploadId, bytes }: Sent & Pick<Room, 'bytes'>): Operations => ({
  shareRoom: { delete: roomKey({ shareId, uploadId }), if: { pk: { exists: true } } },
  shareCounts: { update: countsKey(shareId), changes: { add: { uploads: 1, bytes, sends: 1 } }, if: { pk: { exists: true } } },
})

/** Whether the writes of `roomUsed` were refused. */
export const hasNoRoom = (error: unknown): boolean =>
  error instanceof ConditionFailed && (error.failed('shareRoom') || error.failed('shareCounts'))

/** The write that releases an upload's reservation. */
export const roomEnd = (sent: Sent): Operations => ({ shareRoom: { delete: roomKey(sent) } })
