import type { Objects } from '../../backends/objects/port.ts'
import type { Key } from '../../backends/table/port.ts'
import type { MediaId } from '../../vocabulary/ids.ts'
import { forEachDue, isDue } from '../due.ts'
import type { Writing } from '../library.ts'
import { isBeingMade, keptFrom, type StoredDownload } from './prepared.ts'
import { downloadsOf, expire, forget } from './records.ts'

export interface Removing extends Pick<Writing, 'table' | 'clock'> {
  media: Pick<Objects, 'delete'>
}

/**
 * Removes a prepared download: its objects first, so that each always has a record. A run that is cut off is repeated.
 * @returns false where somebody used or made it since the record was read: then it stays
 */
export async function removeDownload(library: Removing, download: StoredDownload): Promise<boolean> {
  const expired = await expire(library, download)
  if (!expired) return false
  await library.media.delete([expired.key, ...expired.former])
  await forget(library, expired)
  return true
}

/**
 * Removes what is prepared of a file that is no more. Any number of times. Who is making a copy removes it, and should that process crash the
 * record is still there until its time comes.
 */
export async function removeDownloadsOf(library: Removing, mediaId: MediaId): Promise<void> {
  const now = library.clock.now()
  const downloads = await downloadsOf(library, mediaId)
  const outcomes = downloads.map((each) => (isBeingMade(each, now) ? stopMaking(library, each, now) : removeDownload(library, each)))
  const isEnded = await Promise.all(outcomes)
  if (isEnded.includes(false)) await removeDownloadsOf(library, mediaId)
}

async function stopMaking(library: Removing, download: StoredDownload, now: number): Promise<boolean> {
  return (await expire(library, download, keptFrom({ ...download, superseded: true }, now))) !== undefined
}

/**
 * Removes prepared downloads that nobody has fetched for a week, and superseded ones. Any number of runs, also at the same time.
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
