import type { Objects } from '../../backends/objects/port.ts'
import type { Key } from '../../backends/table/port.ts'
import type { MediaId } from '../../vocabulary/ids.ts'
import { forEachDue, isDue } from '../due.ts'
import type { Again } from '../jobs/run.ts'
import type { Writing } from '../library.ts'
import {
  type CopyName,
  deleteRecord,
  downloadKey,
  downloadsOf,
  isBeingMade,
  keptFrom,
  markExpired,
  type StoredDownload,
} from './copy-record.ts'

export interface Removing extends Pick<Writing, 'table' | 'clock'> {
  media: Pick<Objects, 'delete'>
}

/**
 * Removes a copy, its objects before its record, so that every object has a record. Idempotent.
 * @returns false where it was used or made since the record was read: it stays
 */
export async function removeDownload(library: Removing, download: StoredDownload): Promise<boolean> {
  const expired = await markExpired(library, download)
  if (!expired) return false
  await library.media.delete([expired.key, ...expired.former])
  await deleteRecord(library, expired)
  return true
}

/**
 * Removes all copies of a deleted file. Idempotent. A maker at work removes its own copy; where it crashes, the record expires later.
 */
export async function removeDownloadsOf(library: Removing, mediaId: MediaId): Promise<void> {
  const now = library.clock.now()
  const downloads = await downloadsOf(library, mediaId)
  const outcomes = downloads.map((each) => (isBeingMade(each, now) ? stopMaking(library, each, now) : removeDownload(library, each)))
  const isEnded = await Promise.all(outcomes)
  if (isEnded.includes(false)) await removeDownloadsOf(library, mediaId)
}

async function stopMaking(library: Removing, download: StoredDownload, now: number): Promise<boolean> {
  return (await markExpired(library, download, keptFrom({ ...download, superseded: true }, now))) !== undefined
}

/** Removes a superseded copy, unless it was used lately. @returns when to look again */
export async function removeSuperseded(library: Removing, { mediaId, version, variant }: CopyName): Promise<Again | undefined> {
  const download = await library.table.get<StoredDownload>(downloadKey(mediaId, version, variant))
  if (!download?.superseded) return undefined
  const left = Date.parse(download.dueAt) - library.clock.now()
  if (left > 0) return { inSeconds: left / 1_000 }
  return (await removeDownload(library, download)) ? undefined : {}
}

/**
 * Removes copies that were unused for a week, and superseded ones. Idempotent; safe to run concurrently.
 * @param outOfTime asked before each; true stops
 * @throws AggregateError after all others are done
 */
export async function expireDownloads(library: Removing, outOfTime: () => boolean): Promise<void> {
  const { table, clock } = library
  await forEachDue(library, 'DOWNLOAD', outOfTime, async ({ pk, sk }: Key) => {
    const download = await table.get<StoredDownload>({ pk, sk })
    const now = clock.now()
    if (download && isDue(download, now) && !isBeingMade(download, now)) await removeDownload(library, download)
  })
}
