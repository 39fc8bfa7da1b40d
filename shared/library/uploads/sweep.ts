import type { Clock } from '../../backends/clock/port.ts'
import type { SweptObjects } from '../../backends/objects/port.ts'
import type { TableReader } from '../../backends/table/port.ts'
import { inParallel } from '../../parallel.ts'
import { replacements } from '../media/files.ts'
import { getMany } from '../media/find.ts'
import { isAvailable, type MediaRecord } from '../media/media.ts'
import { type UploadRecord, uploadIdOf, uploadKey } from './uploads.ts'

/** Grace period in seconds between the end of an upload and the removal of its file. Longer than any request that may still be finalizing it. */
const GRACE_SECONDS = 86_400

/** Files whose replacements are read in parallel. */
const FILES_AT_ONCE = 16

/** Dependencies of a sweep. */
export interface SweptUploads {
  table: TableReader
  uploads: SweptObjects
  clock: Clock
}

/**
 * Removes orphaned posted files: those posted to a finalized upload beside the imported one, and those never finalized. Age alone decides nothing,
 * because a file may wait for its import for any time. Files without a record stay.
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
  // Uploads first: a file is stored together with its upload's record, so a missing file has been removed.
  const records = await table.getMany<UploadRecord>([...ids].map(uploadKey))
  const uploads = new Map(records.map((upload) => [upload.uploadId, upload]))
  const files = records.flatMap(({ mediaId }) => mediaId ?? [])
  const awaited = await awaitedBy(table, await getMany({ table }, files))
  return new Set(
    keys.filter((key) => {
      const upload = uploads.get(uploadIdOf(key))
      if (!upload) return true
      return upload.mediaId === undefined ? now < upload.expires + GRACE_SECONDS : awaited.has(key)
    }),
  )
}

/** Keys of what these files wait for: they are imported themselves, are to be replaced, or both: versions of another library follow a file. */
async function awaitedBy(table: TableReader, files: readonly MediaRecord[]): Promise<ReadonlySet<string>> {
  const awaited = new Set<string>()
  await inParallel(files, FILES_AT_ONCE, async (media) => {
    const waiting = await replacements({ table }, media.mediaId)
    for (const { uploadKey } of [...(isAvailable(media) ? [] : [media]), ...waiting]) awaited.add(uploadKey)
  })
  return awaited
}
