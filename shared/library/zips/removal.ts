import type { Objects } from '../../backends/objects/port.ts'
import { retryOnConflict } from '../concurrency/retry.ts'
import type { Again } from '../jobs/run.ts'
import type { Writing } from '../library.ts'
import { everyObject } from '../pages.ts'
import { isHandle, readHandle } from './parts.ts'
import { findZip, type LatestZip, latestZipKey, type ZipRecord, zipKey, zipObjects } from './zip.ts'

interface Expiring extends Writing {
  media: Objects
}

/** Removes a zip whose time is over: its objects, then the record that names them. Idempotent. @param from in UNIX milliseconds */
export async function expireZip(library: Expiring, jobId: string, from: number): Promise<Again | undefined> {
  const { table, clock } = library
  if (from > clock.now()) return { inSeconds: (from - clock.now()) / 1_000 }
  const zip = await findZip(library, jobId)
  if (!zip) return undefined
  await removeZipObjects(library, zip)
  const { requester, folderId } = zip
  const latestKey = folderId === undefined ? undefined : latestZipKey(requester, folderId)
  await retryOnConflict(async () => {
    const isLatest = latestKey && (await table.get<LatestZip>(latestKey))?.jobId === jobId
    await table.transact({
      zip: { delete: zipKey(jobId) },
      ...(isLatest && { latest: { delete: latestKey, if: { jobId: { equals: jobId } } } }),
    })
  })
  return undefined
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
