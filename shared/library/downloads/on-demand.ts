import { timer, waitFor } from '../concurrency/wait-for.ts'
import { askForCopies, isCopiedByJob } from '../media/copy-job.ts'
import type { AvailableMedia, Rendition } from '../media/media.ts'
import { type CopyRecord, type Deliverable, deliverableOf, readyCopy, unchangedOriginal } from './copies.ts'
import { type Making, pending, prepareCopy } from './prepare.ts'
import { originalSource, renditionSource, type Source, type WantedOriginal } from './source.ts'

export interface Demand extends WantedOriginal {
  /** Largest file that a request prepares itself, in bytes. */
  largest?: number
  /** Longest wait in ms. */
  timeoutMs?: number
}

/** Requests end after 29 seconds. */
const TIMEOUT_MS = 20_000

/**
 * The deliverable of an original, within a request: a copy with the metadata of the version that was read, where the format can carry any. The
 * request makes the copy of an ordinary file; a job makes that of a large file.
 * @throws Conflict `download_pending` when it takes too long, NotFound
 */
export async function originalOnDemand(
  library: Making,
  media: AvailableMedia,
  { largest, timeoutMs = TIMEOUT_MS, breaksCredentials = false }: Demand = {},
): Promise<Deliverable> {
  const source = originalSource(media, { breaksCredentials })
  if (!source) return unchangedOriginal(media)
  // The job breaks no Content Credentials.
  const isLarge = !breaksCredentials && isCopiedByJob(media, largest)
  const copying = isLarge ? copyByJob(library, source, timeoutMs) : prepareCopy(library, source, timeoutMs)
  return deliverableOf(await copying, unchangedOriginal(media))
}

/** The deliverable of a rendition, within a request. @throws Conflict `download_pending` when it takes too long, NotFound */
export async function renditionOnDemand(
  library: Making,
  media: AvailableMedia,
  rendition: Rendition,
  { timeoutMs = TIMEOUT_MS }: Demand = {},
): Promise<Pick<Deliverable, 'key' | 'metadataWritten'>> {
  const { key } = rendition
  const source = renditionSource(media, rendition)
  if (!source) return { key, metadataWritten: true }
  return deliverableOf(await prepareCopy(library, source, timeoutMs), { key })
}

async function copyByJob(library: Making, source: Source, timeoutMs: number): Promise<CopyRecord> {
  const { companyId, mediaId } = source.media
  const look = () => readyCopy(library, source)
  const ready = await look()
  if (ready) return ready
  await library.table.transact({ job: askForCopies(library, companyId, [mediaId]) })
  return (await waitFor(library.clock, look, timer(timeoutMs))) ?? pending()
}
