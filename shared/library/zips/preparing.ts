import { setTimeout as sleep } from 'node:timers/promises'
import type { Objects } from '../../backends/objects/port.ts'
import type { Operation } from '../../backends/table/port.ts'
import { readyDeliverables } from '../downloads/ready.ts'
import type { Writing } from '../library.ts'
import { askForCopies, MAX_COPIES } from '../media/copy-job.ts'
import { getMany } from '../media/find.ts'
import { isAvailable } from '../media/media.ts'
import { entryOf, type ListedEntry, readEntries, storeEntries } from './entries.ts'
import { changeZip, type StoredList, Unzippable, type ZipRecord } from './zip.ts'

/** Entries that are looked at together: of those that come later fewer are ready. */
const LOOKED_AT = 200
/** Milliseconds between two looks of one run, and until a run leaves the next look to another message. */
const [SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS, LONGEST_WATCH_MS] = [50, 500, 5_000]
/** Milliseconds without progress after which downloads are asked for again, and after which the job gives up. */
const [ASK_AGAIN_MS, GIVE_UP_MS] = [5 * 60_000, 30 * 60_000]

interface Preparing extends Writing {
  media: Pick<Objects, 'get' | 'put'>
}

/** Asks for the downloads of the next list that are yet to be made. */
export async function askForDownloads(library: Preparing, zip: ZipRecord): Promise<ZipRecord> {
  const listing = zip.listing!
  const index = listing.lists.findIndex(({ waiting }, number) => number >= listing.askedLists && waiting > 0)
  if (index < 0) return changeZip(library, zip, { listing: { ...listing, askedLists: listing.lists.length } })
  const entries = await readEntries(library, zip, listing.lists[index]!.name)
  const mediaIds = [...new Set(entries.flatMap(({ file, waits }) => (waits && file ? [file.mediaId] : [])))]
  const jobs: Record<string, Operation> = {}
  for (let from = 0; from < mediaIds.length; from += MAX_COPIES) {
    jobs[`copies ${from}`] = askForCopies(library, zip.companyId, mediaIds.slice(from, from + MAX_COPIES))
  }
  return changeZip(library, zip, { listing: { ...listing, askedLists: index + 1, lastAsked: library.clock.now() } }, jobs)
}

/**
 * Watches for some seconds whether the downloads are made that the next list waits for. Files that were removed meanwhile leave it.
 * @throws Unzippable when none was made for long
 */
export async function awaitDownloads(library: Preparing, zip: ZipRecord, outOfTime: () => boolean): Promise<ZipRecord> {
  const index = zip.listing!.lists.findIndex(({ waiting }) => waiting > 0)
  const end = performance.now() + LONGEST_WATCH_MS
  let entries = await look(library, await readEntries(library, zip, zip.listing!.lists[index]!.name))
  for (
    let pause = SHORTEST_PAUSE_MS;
    waitingIn(entries) > 0 && !outOfTime() && performance.now() < end;
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS)
  ) {
    await sleep(pause)
    entries = await look(library, entries)
  }
  return note(library, zip, index, entries)
}

const waitingIn = (entries: readonly ListedEntry[]): number => entries.filter(({ waits }) => waits).length

/** Looks at the first entries that wait. @returns the list with those that are ready, without those whose files are gone */
async function look(library: Preparing, entries: readonly ListedEntry[]): Promise<ListedEntry[]> {
  const looked = entries.filter(({ waits }) => waits).slice(0, LOOKED_AT)
  const media = (
    await getMany(
      library,
      looked.flatMap(({ file }) => file?.mediaId ?? []),
    )
  ).filter(isAvailable)
  const deliverables = await readyDeliverables(library, media)
  const now = new Map(media.map((each, index) => [each.mediaId, { media: each, deliverable: deliverables[index] }]))
  const seen = new Set(looked)
  return entries.flatMap((entry) => {
    if (!seen.has(entry) || !entry.file) return [entry]
    const found = now.get(entry.file.mediaId)
    if (!found) return []
    const { path, modified } = entry
    return [entryOf({ path, modified }, { ...entry.file, version: found.media.version }, found.deliverable)]
  })
}

/** Stores the list once nothing in it waits. */
async function note(library: Preparing, zip: ZipRecord, index: number, entries: readonly ListedEntry[]): Promise<ZipRecord> {
  const listing = zip.listing!
  const before = listing.lists[index]!
  const now = library.clock.now()
  const waiting = waitingIn(entries)
  if (waiting > 0 && waiting === before.waiting) {
    if (now - listing.lastProgress >= GIVE_UP_MS) throw new Unzippable('the downloads of its files were not made')
    // Files may have other versions by now.
    return now - listing.lastAsked >= ASK_AGAIN_MS ? changeZip(library, zip, { listing: { ...listing, askedLists: index } }) : zip
  }
  const list: StoredList = { name: waiting > 0 ? before.name : `entries-${index}.${zip.revision}`, entries: entries.length, waiting }
  if (waiting === 0) await storeEntries(library, zip, list.name, entries)
  const lists = listing.lists.with(index, list)
  return changeZip(library, zip, { listing: { ...listing, lists, lastProgress: now } })
}
