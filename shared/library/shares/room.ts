import type { Clock } from '../../backends/clock/port.ts'
import { ConditionFailed, type Key, type Operations, type Table, WriteConflict } from '../../backends/table/port.ts'
import type { Settings } from '../../settings.ts'
import { asRead, held } from '../concurrency/conditional.ts'
import { retryOnConflict } from '../concurrency/retry.ts'
import { Conflict, TooLarge } from '../errors.ts'
import { everyItem } from '../pages.ts'
import { countsKey, noSuchLink, type ShareCounts, shareKey } from './share.ts'

/** Most files that one link takes, and most bytes of all of them. */
export type ShareLimits = Pick<Settings, 'shareMaxFiles' | 'shareMaxBytes'>

/** An upload's reservation of a link's limits, until its file is made or the upload ends. */
type Room = Key & {
  /** 0 for a form: its size is known once it is posted. */
  bytes: number
  /** End of the upload, and of the reservation, in UNIX seconds. */
  expires: number
  ttl: number
}

/** An upload that needs room. */
export interface Sent {
  shareId: string
  uploadId: string
  bytes: number
  /** UNIX seconds */
  expires: number
}

const PREFIX = 'ROOM#'
/** Seconds for which a record outlives its upload. */
const KEPT_SECONDS = 16 * 86_400

const roomKey = (shareId: string, uploadId: string): Key => ({ pk: shareKey(shareId).pk, sk: PREFIX + uploadId })

type Limited = { table: Table; clock: Clock; limits: ShareLimits }

/**
 * Reserves room for an upload. Concurrent uploads never exceed the limits together.
 * @param also further operations of the transaction
 * @returns remaining bytes
 * @throws NotFound where the link is gone, TooLarge, Conflict `share_full`
 */
export function takeRoom(library: Limited, sent: Sent, also: Operations): Promise<number> {
  return claim(library, sent, { room: { put: { ...roomKey(sent.shareId, sent.uploadId), ...roomOf(sent) } }, ...also })
}

/**
 * Grows an upload's reservation to the size of its file. Does nothing without a reservation: its file is made, or its link is gone.
 * @throws TooLarge, Conflict `share_full`
 */
export async function growRoom(library: Limited, sent: Sent): Promise<void> {
  const room = { update: roomKey(sent.shareId, sent.uploadId), changes: { set: roomOf(sent) }, if: { pk: { exists: true } } }
  await held(claim(library, sent, { room }))
}

const roomOf = ({ bytes, expires }: Pick<Sent, 'bytes' | 'expires'>) => ({ bytes, expires, ttl: expires + KEPT_SECONDS })

async function claim(library: Limited, { shareId, uploadId, bytes }: Sent, writes: Operations): Promise<number> {
  const { table, limits } = library
  const { shareMaxFiles, shareMaxBytes } = limits
  if (bytes > shareMaxBytes) throw new TooLarge(`By a link at most ${shareMaxBytes} bytes may be sent.`)
  const attempt = async () => {
    // Every reservation and every file increments `sends`, so the write fails if anything changed since this read.
    const counts = await table.get<ShareCounts>(countsKey(shareId))
    if (!counts) throw noSuchLink()
    const others = await othersIn(library, { shareId, uploadId })
    const left = shareMaxBytes - counts.bytes - others.reduce((sum, other) => sum + other.bytes, 0) - bytes
    if (counts.uploads + others.length >= shareMaxFiles) throw full(`at most ${shareMaxFiles} files`)
    if (left < 0) throw full(`at most ${shareMaxBytes} bytes`)
    const isUnchanged = { pk: { exists: true }, sends: asRead(counts.sends) }
    await table.transact({ ...writes, counts: { update: countsKey(shareId), changes: { add: { sends: 1 } }, if: isUnchanged } })
    return left
  }
  return retryOnConflict(attempt, (error) => error instanceof WriteConflict || error.failed('counts'))
}

const full = (most: string) => new Conflict(`By this link ${most} may be sent.`, 'share_full')

async function othersIn(
  { table, clock }: { table: Table; clock: Clock },
  { shareId, uploadId }: Pick<Sent, 'shareId' | 'uploadId'>,
): Promise<Room[]> {
  const query = { pk: shareKey(shareId).pk, sk: { beginsWith: PREFIX }, consistent: true }
  const rooms = await Array.fromAsync(everyItem<Room>(table, query))
  return rooms.filter(({ sk, expires }) => sk !== PREFIX + uploadId && expires * 1000 > clock.now())
}

/** Extends the reservation of an upload that lives longer. */
export async function keepRoom(table: Table, { shareId, uploadId, expires }: Omit<Sent, 'bytes'>): Promise<void> {
  await held(table.update(roomKey(shareId, uploadId), { set: { expires, ttl: expires + KEPT_SECONDS } }, { pk: { exists: true } }))
}

/** The writes that count a file that was sent. They fail where the link is gone. */
export const roomUsed = ({ shareId, uploadId, bytes }: Omit<Sent, 'expires'>): Operations => ({
  shareRoom: { delete: roomKey(shareId, uploadId), if: { pk: { exists: true } } },
  shareCounts: { update: countsKey(shareId), changes: { add: { uploads: 1, bytes, sends: 1 } }, if: { pk: { exists: true } } },
})

/** Whether the writes of `roomUsed` were refused. */
export const hasNoRoom = (error: unknown): boolean =>
  error instanceof ConditionFailed && (error.failed('shareRoom') || error.failed('shareCounts'))

/** The write that releases an upload's reservation. */
export const roomEnd = ({ shareId, uploadId }: Pick<Sent, 'shareId' | 'uploadId'>): Operations => ({
  shareRoom: { delete: roomKey(shareId, uploadId) },
})
