import type { Objects } from '../../backends/objects/port.ts'
import type { Key } from '../../backends/table/port.ts'
import { forEachDue, isDue } from '../due.ts'
import type { Writing } from '../library.ts'
import { retryOnConflict } from '../retry.ts'
import { removeZipObjects } from './remove-objects.ts'
import { type LatestZip, latestZipKey, type ZipRecord, zipKey } from './zip.ts'

interface Expiring extends Writing {
  media: Objects
}

/**
 * Removes zips that can be downloaded no more, and what is left of those that failed. Any number of runs.
 * @param outOfTime asked before each; true stops
 * @throws AggregateError after all others are done
 */
export async function expireZips(library: Expiring, outOfTime: () => boolean): Promise<void> {
  await forEachDue(library, 'ZIP', outOfTime, (key) => expire(library, key))
}

/** Objects go before the record that names them. */
async function expire(library: Expiring, key: Key): Promise<void> {
  const { table, clock } = library
  const zip = await table.get<ZipRecord>(key)
  if (!zip || zip.state === 'PENDING' || !isDue(zip, clock.now())) return
  await removeZipObjects(library, zip)
  const { jobId, requester, folderId } = zip
  const latestKey = folderId === undefined ? undefined : latestZipKey(requester, folderId)
  await retryOnConflict(async () => {
    const isLatest = latestKey && (await table.get<LatestZip>(latestKey))?.jobId === jobId
    await table.transact({
      zip: { delete: zipKey(jobId) },
      ...(isLatest && { latest: { delete: latestKey, if: { jobId: { equals: jobId } } } }),
    })
  })
}
