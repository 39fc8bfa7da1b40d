import { ObjectChanged, ObjectMissing, type Objects, WrongChecksum } from '../../backends/objects/port.ts'
import type { Log } from '../../log/log.ts'
import { ArchiveTooLarge } from '../../tools/archive/plan.ts'
import { planArchive } from '../../tools/archive/planner.ts'
import type { Again } from '../jobs/run.ts'
import type { Writing } from '../library.ts'
import { endZip, failZip } from './ending.ts'
import { type ListedEntry, readEntries } from './entries.ts'
import { beginListing, listFiles } from './listing.ts'
import { assemble, assembledKey } from './parts.ts'
import { askForDownloads, awaitDownloads } from './preparing.ts'
import { changeZip, findZip, isOfPreviews, numberOf, Superseded, Unzippable, type ZipRecord, zipObjects } from './zip.ts'

export interface Building extends Writing {
  media: Objects
  log: Log
}

/** Interval of progress updates, in milliseconds. */
const NOTE_MS = 2_000
/** Parallelism of reading lists. */
const LISTS_AT_ONCE = 8
/**
 * Younger zips are polled within their run, in turns with other zips, because a job that is due later starts up to a minute late on AWS. In
 * milliseconds.
 */
const SOON_MS = 60_000
/** Poll interval for downloads: a fraction of the job's age, and its maximum. */
const [AGE_PART, LONGEST_PAUSE_SECONDS] = [20, 30]

/**
 * Makes a zip, or as much as time allows. Safe to run concurrently: the run that began last continues, the others stop.
 * @param outOfTime asked between steps; true stops early
 * @returns when another run must continue; undefined if none has to
 */
export async function buildZip(library: Building, jobId: string, outOfTime: () => boolean): Promise<Again | undefined> {
  try {
    let zip = await takeOver(library, jobId)
    if (!zip) return undefined
    do {
      const before = zip
      zip = await step(library, zip, outOfTime)
      if (zip.state !== 'PENDING') return undefined
      // A zip of previews makes progress while it reads previews for their checksums.
      const isReading = isOfPreviews(zip) && zip.revision > before.revision
      if (isWaiting(before) && isWaiting(zip) && !isReading) return { inSeconds: pauseOf(zip, library.clock.now()) }
    } while (!outOfTime())
    return {}
  } catch (error) {
    if (error instanceof Superseded) return undefined
    if (!(error instanceof Unzippable || error instanceof ArchiveTooLarge)) throw error
    await failZip(library, jobId, error)
    return undefined
  }
}

/** Increments the revision, which fences off runs that lost the job. @returns undefined if the zip has ended */
async function takeOver(library: Building, jobId: string): Promise<ZipRecord | undefined> {
  for (;;) {
    const zip = await findZip(library, jobId)
    if (zip?.state !== 'PENDING') return undefined
    const taken = await changeZip(library, zip, {}).catch((error: unknown) => {
      // The other run has changed the record once more: tries again.
      if (!(error instanceof Superseded)) throw error
    })
    if (taken) return taken
  }
}

/** Runs one step: the next stage, or a part of it. */
async function step(library: Building, zip: ZipRecord, outOfTime: () => boolean): Promise<ZipRecord> {
  const { stage, listing } = zip
  if (!listing) return beginListing(library, zip)
  if (stage === 'list') return listFiles(library, zip, outOfTime)
  if (stage === 'assemble') return assembleArchive(library, zip, outOfTime)
  if (listing.askedLists < listing.lists.length) return askForDownloads(library, zip)
  if (numberOf(listing, 'waiting') > 0) return awaitDownloads(library, zip, outOfTime)
  return changeZip(library, zip, { stage: 'assemble' })
}

/** Whether the next stage only waits for downloads. */
function isWaiting({ stage, listing }: ZipRecord): boolean {
  return stage === 'prepare' && listing !== undefined && listing.askedLists === listing.lists.length && numberOf(listing, 'waiting') > 0
}

/** Pause until the next run, in seconds. */
function pauseOf({ asked }: ZipRecord, now: number): number {
  const age = now - asked
  return age < SOON_MS ? 0 : Math.min(LONGEST_PAUSE_SECONDS, Math.floor(age / 1000 / AGE_PART))
}

async function assembleArchive(library: Building, before: ZipRecord, outOfTime: () => boolean): Promise<ZipRecord> {
  const { media, log, clock } = library
  let zip = before
  let noted = clock.now()
  const entries = await allEntries(library, zip)
  if (isOfPreviews(zip) && !entries.some(({ file }) => file)) throw new Unzippable('none of its files has a preview')
  const plan = planArchive(entries, media.partRules)
  const assembly = {
    ...{ media, outOfTime, prefix: zipObjects.ofListing(zip.jobId, zip.listing!), contentType: 'application/zip' },
    /** Stores the progress. Throws if another run has taken over. */
    async onProgress(bytes: number) {
      if (clock.now() < noted + NOTE_MS) return
      noted = clock.now()
      const assembled = Math.floor((entries.length * bytes) / plan.bytes)
      zip = await changeZip(library, zip, { listing: { ...zip.listing!, assembled } })
    },
  }
  try {
    if (!(await assemble(assembly, plan))) return zip
    return await endZip(library, zip, { key: assembledKey(assembly, plan), entries })
  } catch (error) {
    if (!(error instanceof ObjectMissing || error instanceof ObjectChanged || error instanceof WrongChecksum)) throw error
    log.warn('a zip is listed anew, because files changed while it was made', { zip: zip.jobId, error })
    return beginListing(library, zip)
  }
}

async function allEntries(library: Building, zip: ZipRecord): Promise<ListedEntry[]> {
  const entries: ListedEntry[] = []
  const { lists } = zip.listing!
  for (let from = 0; from < lists.length; from += LISTS_AT_ONCE) {
    const some = lists.slice(from, from + LISTS_AT_ONCE)
    for (const list of await Promise.all(some.map(({ name }) => readEntries(library, zip, name))))
      for (const entry of list) entries.push(entry)
  }
  return entries
}
