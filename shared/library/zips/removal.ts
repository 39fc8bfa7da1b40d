import type { Objects } from '../../backends/objects/port.ts'
import type { Key } from '../../backends/table/port.ts'
import { retryOnConflict } from '../concurrency/retry.ts'
import { forEachDue, isDue } from '../due.ts'
import type { Writing } from '../library.ts'
import { everyObject } from '../pages.ts'
import { isHandle, readHandle } from './parts.ts'
import { type LatestZip, latestZipKey, type ZipRecord, zipKey, zipObjects } from './zip.ts'

interface Expiring extends Writing {
  media: Objects
}

/**
 * Removes expired zips, and the rest of failed ones. Idempotent.
 * @param outOfTime asked before each; true stops
 * @throws AggregateError after all others are done
 */
export async function expireZips(library: Expiring, outOfTime: () => boolean): Promise<void> {
  await forEachDue(library, 'ZIP', outOfTime, (key) => expire(library, key))
}

/** Removes the objects, then the record that names them. */
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

/** Most objects per deletion. */
const AT_ONCE = 500

/** Removes all objects of a zip and its job, and aborts unfinished compositions. Idempotent. @param kept keys that stay */
export async function removeZipObjects({ media }: { media: Objects }, { jobId }: ZipRecord, kept: readonly string[] = []): Promise<void> {
  let gone: string[] = []
  const remove = async () => {
    await media.delete(gone)
    gone = []
  }
  for await (const { key } of everyObject(media, zipObjects.everything(jobId))) {
    if (kept.includes(key)) continue
    const composition = isHandle(key) ? await readHandle(media, key) : undefined
    if (composition) await media.abortComposition(composition)
    gone.push(key)
    if (gone.length === AT_ONCE) await remove()
  }
  if (gone.length > 0) await remove()
}
