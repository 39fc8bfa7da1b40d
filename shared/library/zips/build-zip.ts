import { ObjectChanged, ObjectMissing, type Objects, WrongChecksum } from '../../backends/objects/port.ts'
import type { Log } from '../../log/log.ts'
import { ArchiveTooLarge } from '../../tools/archive/plan.ts'
import { planArchive } from '../../tools/archive/planner.ts'
import type { Again } from '../jobs/run.ts'
import type { Writing } from '../library.ts'
import { assemble, assembledKey } from './assembling.ts'
import { endZip, failZip } from './ending.ts'
import { type ListedEntry, readEntries } from './entries.ts'
import { beginListing, listFiles } from './listing.ts'
import { askForDownloads, awaitDownloads } from './preparing.ts'
import { changeZip, findZip, numberOf, Superseded, Unzippable, type ZipRecord, zipObjects } from './zip.ts'

/** What the job works with. */
export interface Building extends Writing {
  media: Objects
  log: Log
}

/** Milliseconds between two notes of how much of the archive is stored. */
const NOTE_MS = 2_000
/** Lists that are read at the same time. */
const LISTS_AT_ONCE = 8
/** A deployed service looks once a minute for jobs that run later, so a zip waits in turns with others for so many milliseconds first. */
const SOON_MS = 60_000
/** Seconds of waiting for downloads, in parts of the job's age: a job that waits for long looks seldom. */
const [AGE_PART, LONGEST_PAUSE_SECONDS] = [20, 30]

/**
 * Goes on with a zip until it is there, or time is up. Any number of runs, also at the same time: of several the one that began last goes on.
 * @param outOfTime asked between steps; true stops early
 * @returns when another run is to go on; undefined when none is
 */
export async function buildZip(library: Building, jobId: string, outOfTime: () => boolean): Promise<Again | undefined> {
  try {
    let zip = await takeOver(library, jobId)
    if (!zip) return undefined
    do {
      const before = zip
      zip = await step(library, zip, outOfTime)
      if (zip.state !== 'PENDING') return undefined
      if (isWaiting(before) && isWaiting(zip)) return { inSeconds: pauseOf(zip, library.clock.now()) }
    } while (!outOfTime())
    return {}
  } catch (error) {
    if (error instanceof Superseded) return undefined
    if (!(error instanceof Unzippable || error instanceof ArchiveTooLarge)) throw error
    await failZip(library, jobId, error)
    return undefined
  }
}

/** Changes the record, so that a run which lost the job can change nothing more. @returns undefined where the zip has ended */
async function takeOver(library: Building, jobId: string): Promise<ZipRecord | undefined> {
  for (;;) {
    const zip = await findZip(library, jobId)
    if (zip?.state !== 'PENDING') return undefined
    const taken = await changeZip(library, zip, {}).catch((error: unknown) => {
      // The other run made a change more.
      if (!(error instanceof Superseded)) throw error
    })
    if (taken) return taken
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

/** In seconds. */
function pauseOf({ asked }: ZipRecord, now: number): number {
  const age = now - asked
  return age < SOON_MS ? 0 : Math.min(LONGEST_PAUSE_SECONDS, Math.floor(age / 1000 / AGE_PART))
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
