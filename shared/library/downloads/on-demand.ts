import { inTime } from '../../deadline.ts'
import { Conflict } from '../errors.ts'
import type { Writing } from '../library.ts'
import { askForCopies, isCopiedByJob } from '../media/copy-job.ts'
import type { AvailableMedia, Rendition } from '../media/media.ts'
import type { Deliverable } from './copy-record.ts'
import { type Making, prepareDownload, prepareRendition, readyOrBeingMade } from './prepare.ts'
import { originalSource, type WantedOriginal } from './source.ts'

/** Resources of requests for downloads. */
export interface OnDemand extends Making, Pick<Writing, 'by'> {}

export interface Demand extends WantedOriginal {
  /** Largest file that a request prepares itself, in bytes. */
  largest?: number
  /** Longest wait in ms. */
  timeoutMs?: number
}

/** Requests end after 29 seconds. */
const TIMEOUT_MS = 20_000
/** `Retry-After` in seconds; poll interval in ms. */
const [RETRY_AFTER, PAUSE_MS] = [5, 250]

/**
 * The deliverable of an original, within a request. The request makes the copy of an ordinary file; a job makes that of a large file.
 * @throws Conflict `download_pending` when it takes too long, NotFound
 */
export async function originalOnDemand(
  library: OnDemand,
  media: AvailableMedia,
  { largest, timeoutMs = TIMEOUT_MS, breaksCredentials = false }: Demand = {},
): Promise<Deliverable> {
  // The job breaks no Content Credentials.
  const isLarge = !breaksCredentials && originalSource(media) !== undefined && isCopiedByJob(media, largest)
  const prepared = isLarge
    ? prepareByJob(library, media, timeoutMs)
    : inTime(prepareDownload(library, media, { breaksCredentials }), timeoutMs, () => undefined)
  const deliverable = await prepared
  if (deliverable) return deliverable
  // The file is slow to write. A job has more time.
  if (!isLarge && !breaksCredentials) await askForCopy(library, media)
  throw downloadPending()
}

/** The deliverable of a rendition, within a request. @throws Conflict `download_pending` when it takes too long, NotFound */
export async function renditionOnDemand(
  library: Making,
  media: AvailableMedia,
  rendition: Rendition,
  { timeoutMs = TIMEOUT_MS }: Demand = {},
): Promise<Pick<Deliverable, 'key' | 'metadataWritten'>> {
  const prepared = await inTime(prepareRendition(library, media, rendition), timeoutMs, () => undefined)
  if (!prepared) throw downloadPending()
  return prepared
}

async function prepareByJob(library: OnDemand, media: AvailableMedia, timeoutMs: number): Promise<Deliverable | undefined> {
  const end = performance.now() + timeoutMs
  let isAsked = false
  for (;;) {
    const found = await readyOrBeingMade(library, media)
    if (typeof found === 'object') return found
    // A job at work or waiting is not asked for again.
    if (!found && !isAsked) await askForCopy(library, media)
    isAsked = true
    if (performance.now() >= end) return undefined
    await library.clock.sleep(PAUSE_MS)
  }
}

function askForCopy(library: OnDemand, { mediaId, companyId }: AvailableMedia): Promise<void> {
  return library.table.transact({ job: askForCopies(library, companyId, [mediaId]) })
}

function downloadPending(): Conflict {
  return new Conflict('The metadata is still being written into the file. Try again in a few seconds.', 'download_pending', RETRY_AFTER)
}
