import { ObjectChanged, ObjectMissing, type Objects, WrongChecksum } from '../../backends/objects/port.ts'
import type { Log } from '../../log/log.ts'
import { ArchiveTooLarge } from '../../tools/archive/plan.ts'
import { planArchive } from '../../tools/archive/planner.ts'
import { jobDue } from '../due.ts'
import type { Writing } from '../library.ts'
import { assemble, assembledKey } from './assembling.ts'
import { endZip, failZip } from './ending.ts'
import { type ListedEntry, readEntries } from './entries.ts'
import { beginListing, listFiles } from './listing.ts'
import { askForDownloads, awaitDownloads } from './preparing.ts'
import { changeZip, dueIdOf, findZip, numberOf, Superseded, Unzippable, type ZipRecord, zipObjects } from './zip.ts'

/** What the job works with. */
export interface Building extends Writing {
  media: Objects
  log: Log
}

/** Milliseconds between two notes of how much of the archive is stored. */
const NOTE_MS = 2_000
/** Lists that are read at the same time. */
const LISTS_AT_ONCE = 8
/** Seconds of waiting for downloads, in parts of the job's age: a job that waits for long looks seldom. */
const [AGE_PART, LONGEST_DELAY_SECONDS] = [20, 30]

/**
 * Goes on with a zip until it is there, or time is up. Any number of runs, also at the same time: each begins with a change of the record, and of
 * several the one that began last goes on.
 * @param outOfTime asked between steps; true stops early
 * @returns in how many seconds another run is to go on; undefined when none is
 */
export async function buildZip(library: Building, jobId: string, outOfTime: () => boolean): Promise<{ delaySeconds: number } | undefined> {
  const found = await findZip(library, jobId)
  if (found?.state !== 'PENDING') return undefined
  let zip = found
  try {
    zip = await changeZip(library, zip, jobDue(dueIdOf(zip), library.clock.now()))
    do {
      const before = zip
      zip = await step(library, zip, outOfTime)
      if (zip.state !== 'PENDING') return undefined
      if (isWaiting(before) && isWaiting(zip)) return { delaySeconds: pauseOf(zip, library.clock.now()) }
    } while (!outOfTime())
    return { delaySeconds: 0 }
  } catch (error) {
    if (error instanceof Superseded) return undefined
    if (!(error instanceof Unzippable || error instanceof ArchiveTooLarge)) throw error
    await failZip(library, jobId, error)
    return undefined
  }
}

/** One step of the job: the next stage, or a part of one. */
async function step(library: Building, zip: ZipRecord, outOfTime: () => boolean): Promise<ZipRecord> {
  const { stage, listing } = zip
  if (!listing) return beginListing(library, zip)
  if (stage === 'list') return listFiles(library, zip, outOfTime)
  if (stage === 'assemble') return assembleArchive(library, zip, outOfTime)
  if (listing.askedLists < listing.lists.length) return askForDownloads(library, zip)
  if (numberOf(listing, 'waiting') > 0) return awaitDownloads(library, zip, outOfTime)
  return changeZip(library, zip, { stage: 'assemble' })
}

/** Whether all that is left to do before the next stage is to wait. */
function isWaiting({ stage, listing }: ZipRecord): boolean {
  return stage === 'prepare' && listing !== undefined && listing.askedLists === listing.lists.length && numberOf(listing, 'waiting') > 0
}

function pauseOf({ asked }: ZipRecord, now: number): number {
  return Math.min(LONGEST_DELAY_SECONDS, 1 + Math.floor((now - asked) / 1000 / AGE_PART))
}

async function assembleArchive(library: Building, before: ZipRecord, outOfTime: () => boolean): Promise<ZipRecord> {
  const { media, log } = library
  let zip = before
  let noted = performance.now()
  const entries = await allEntries(library, zip)
  const plan = planArchive(entries, media.partRules)
  const assembly = {
    ...{ media, outOfTime, prefix: zipObjects.ofListing(zip.jobId, zip.listing!), contentType: 'application/zip' },
    /** Says how far it is, and learns whether another run goes on. */
    async onProgress(bytes: number) {
      if (performance.now() < noted + NOTE_MS) return
      noted = performance.now()
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
