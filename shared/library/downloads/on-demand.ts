import { setTimeout as sleep } from 'node:timers/promises'
import { inTime } from '../../deadline.ts'
import { Conflict } from '../errors.ts'
import type { Writing } from '../library.ts'
import { askForCopies, isCopiedByJob } from '../media/copy-job.ts'
import type { AvailableMedia, Rendition } from '../media/media.ts'
import { type Making, prepareDownload, prepareRendition, readyOrBeingMade } from './prepare.ts'
import type { Deliverable } from './prepared.ts'
import { originalSource, type WantedOriginal } from './source.ts'

/** What requests for downloads work with. */
export interface OnDemand extends Making, Pick<Writing, 'by'> {}

export interface Demand extends WantedOriginal {
  /** Largest file that a request prepares itself, in bytes. */
  largest?: number
  /** Milliseconds that a request waits. */
  patience?: number
}

/** Requests end after 29 seconds. */
const PATIENCE_MS = 20_000
/** Seconds after which who was refused may come again, and milliseconds between two looks. */
const [RETRY_AFTER, PAUSE_MS] = [5, 250]

/**
 * What is delivered for an original, now: a request makes the copy of an ordinary file, and waits for the job that makes that of a large one.
 * @throws Conflict `download_pending` when it takes too long, NotFound
 */
export async function originalOnDemand(
  library: OnDemand,
  media: AvailableMedia,
  { largest, patience = PATIENCE_MS, breaksCredentials = false }: Demand = {},
): Promise<Deliverable> {
  // The job breaks no Content Credentials.
  const isLarge = !breaksCredentials && originalSource(media) !== undefined && isCopiedByJob(media, largest)
  const prepared = isLarge
    ? prepareByJob(library, media, patience)
    : inTime(prepareDownload(library, media, { breaksCredentials }), patience, () => undefined)
  const deliverable = await prepared
  if (deliverable) return deliverable
  // A file that is slow to write: the job has more time.
  if (!isLarge && !breaksCredentials) await ask(library, media)
  throw pending()
}

/** What is delivered for a rendition, now. @throws Conflict `download_pending` when it takes too long, NotFound */
export async function renditionOnDemand(
  library: Making,
  media: AvailableMedia,
  rendition: Rendition,
  { patience = PATIENCE_MS }: Demand = {},
): Promise<Pick<Deliverable, 'key' | 'metadataWritten'>> {
  const prepared = await inTime(prepareRendition(library, media, rendition), patience, () => undefined)
  if (!prepared) throw pending()
  return prepared
}

async function prepareByJob(library: OnDemand, media: AvailableMedia, patience: number): Promise<Deliverable | undefined> {
  const end = performance.now() + patience
  let isAsked = false
  for (;;) {
    const found = await readyOrBeingMade(library, media)
    if (typeof found === 'object') return found
    // Not again while a job is at it, or is about to be.
    if (!found && !isAsked) await ask(library, media)
    isAsked = true
    if (performance.now() >= end) return undefined
    await sleep(PAUSE_MS)
  }
}

function ask(library: OnDemand, { mediaId, companyId }: AvailableMedia): Promise<void> {
  return library.table.transact({ job: askForCopies(library, companyId, [mediaId]) })
}

function pending(): Conflict {
  return new Conflict('The metadata is still being written into the file. Try again in a few seconds.', 'download_pending', RETRY_AFTER)
}
