import type { MediaId } from '../../vocabulary/ids.ts'
import { NotFound } from '../errors.ts'
import { getMany } from '../media/find.ts'
import { isAvailable } from '../media/media.ts'
import { inParallel } from '../parallel.ts'
import type { Making } from './make.ts'
import { prepareDownload } from './prepare.ts'
import { readyDeliverables } from './ready.ts'

/** Files at a time: while ExifTool writes two, others are fetched and stored. */
const PARALLELISM = 4

/**
 * Prepares the originals of files at their current versions. Any number of runs: what is ready is skipped, and what is gone.
 * @throws AggregateError after all others are done
 */
export async function prepareDownloads(library: Making, mediaIds: readonly MediaId[]): Promise<void> {
  const media = (await getMany(library, mediaIds)).filter(isAvailable)
  const ready = await readyDeliverables(library, media)
  const missing = media.filter((_, index) => !ready[index])
  const failures: unknown[] = []
  await inParallel(missing, PARALLELISM, async (each) => {
    await prepareDownload(library, each).catch((error: unknown) => failures.push(error))
  })
  const faults = failures.filter((error) => !(error instanceof NotFound))
  if (faults.length > 0) throw new AggregateError(faults, `${faults.length} of ${media.length} downloads could not be prepared`)
}
