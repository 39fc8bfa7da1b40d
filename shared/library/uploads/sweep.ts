import type { Clock } from '../../backends/clock/port.ts'
import type { SweptObjects } from '../../backends/objects/port.ts'
import type { TableReader } from '../../backends/table/port.ts'
import { getMany } from '../media/find.ts'
import { isAvailable } from '../media/media.ts'
import { endOf, type UploadRecord, uploadIdOf, uploadKey } from './uploads.ts'

/** Seconds after the end of an upload until its file is removed: no request that is still finalizing it lives that long. */
const GRACE_SECONDS = 86_400

/** What a sweep works with. */
export interface SweptUploads {
  table: TableReader
  uploads: SweptObjects
  clock: Clock
}

/**
 * Removes posted files that are orphaned: what was posted to a finalized upload beside or after the file that was imported, and what was not
 * finalized in its time. Storage can't tell these from a file that waits for its import, however long, so nothing here goes by age alone;
 * what no record tells of stays.
 * @param outOfTime whether the rest is left to the next run
 */
export async function sweepUploads({ table, uploads, clock }: SweptUploads, outOfTime: () => boolean): Promise<void> {
  let cursor: string | undefined
  do {
    const page = await uploads.list('', { cursor })
    const keys = page.objects.map(({ key }) => key)
    const needed = await neededOf(table, keys, clock.now() / 1000)
    await uploads.delete(keys.filter((key) => !needed.has(key)))
    cursor = page.cursor
  } while (cursor !== undefined && !outOfTime())
}

/** @param now UNIX seconds */
async function neededOf(table: TableReader, keys: readonly string[], now: number): Promise<ReadonlySet<string>> {
  const ids = new Set(keys.map(uploadIdOf))
  // Uploads before files: a file that an upload names is stored with that, and missing only when it was removed.
  const records = await table.getMany<UploadRecord>([...ids].map(uploadKey))
  const uploads = new Map(records.map((upload) => [upload.uploadId, upload]))
  const files = records.flatMap(({ mediaId }) => mediaId ?? [])
  const waiting = (await getMany({ table }, files)).filter((media) => !isAvailable(media))
  const awaited = new Set(waiting.map((media) => media.uploadKey))
  return new Set(
    keys.filter((key) => {
      const upload = uploads.get(uploadIdOf(key))
      if (!upload) return true
      return upload.mediaId === undefined ? now < endOf(upload) + GRACE_SECONDS : awaited.has(key)
    }),
  )
}
