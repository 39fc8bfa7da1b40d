import type { Objects } from '../../backends/objects/port.ts'
import { everyObject } from '../pages.ts'
import { isHandle, readHandle } from './assembling.ts'
import { type ZipRecord, zipObjects } from './zip.ts'

/** Objects that one call deletes. */
const AT_ONCE = 500

/** Removes everything stored of a zip and of the job that makes it, also unfinished compositions. Any number of times. @param kept keys of what stays */
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
