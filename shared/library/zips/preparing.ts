import type { Objects } from '../../backends/objects/port.ts'
import type { Operation, Operations } from '../../backends/table/port.ts'
import { inParallel } from '../../parallel.ts'
import type { MediaId } from '../../vocabulary/ids.ts'
import type { RenditionSize } from '../../vocabulary/rendition-size.ts'
import { timer, waitFor } from '../concurrency/wait-for.ts'
import type { Writing } from '../library.ts'
import { askForCopies, MAX_COPIES } from '../media/copy-job.ts'
import { getMany } from '../media/find.ts'
import { isAvailable } from '../media/media.ts'
import { PREVIEW } from '../shares/share.ts'
import { ensureVideo } from '../videos/video.ts'
import { type Delivered, deliveredOf, digested } from './delivered.ts'
import { entryOf, type ListedEntry, readEntries, storeEntries } from './entries.ts'
import { beginListing } from './listing.ts'
import { changeZip, isOfPreviews, type StoredList, Unzippable, type ZipRecord } from './zip.ts'

/** Batch size of checks. Later entries are less often ready. */
const LOOKED_AT = 200
/** Parallelism of reads for checksums, and over videos. */
const AT_ONCE = 8
/** Poll interval, and the time in ms after which a run leaves polling to the next one. */
const [PAUSES, LONGEST_WATCH_MS] = [{ first: 50, longest: 500 }, 5_000] as const
/** Time without progress in ms after which downloads are requested again, and after which the job fails. */
const [ASK_AGAIN_MS, GIVE_UP_MS] = [5 * 60_000, 30 * 60_000]

interface Preparing extends Writing {
  media: Pick<Objects, 'get' | 'put'>
}

/** Requests the missing downloads of the next list. */
export async function askForDownloads(library: Preparing, zip: ZipRecord): Promise<ZipRecord> {
  const listing = zip.listing!
  const index = listing.lists.findIndex(({ waiting }, number) => number >= listing.askedLists && waiting > 0)
  if (index < 0) return changeZip(library, zip, { listing: { ...listing, askedLists: listing.lists.length } })
  const entries = await readEntries(library, zip, listing.lists[index]!.name)
  const mediaIds = [...new Set(entries.flatMap(({ file, waits }) => (waits && file ? [file.mediaId] : [])))]
  const jobs = isOfPreviews(zip) ? await askForPreviews(library, zip, mediaIds) : copiesOf(library, zip, mediaIds)
  return changeZip(library, zip, { listing: { ...listing, askedLists: index + 1, lastAsked: library.clock.now() } }, jobs)
}

/** Requests previews of videos. Returns the operations that request copies of pictures. */
async function askForPreviews(library: Preparing, zip: ZipRecord, mediaIds: readonly MediaId[]): Promise<Operations> {
  const waiting = await deliveredOf(library, zip, (await getMany(library, mediaIds)).filter(isAvailable))
  const missing = waiting.filter(({ stored, undigested }) => !stored && undigested === undefined).map(({ media }) => media)
  const [films, pictures] = [missing.filter(({ kind }) => kind === 'video'), missing.filter(({ kind }) => kind !== 'video')]
  await inParallel(films, AT_ONCE, async (film) => void (await ensureVideo(library, film)))
  return copiesOf(
    library,
    zip,
    pictures.map(({ mediaId }) => mediaId),
    PREVIEW,
  )
}

function copiesOf(library: Preparing, { companyId }: ZipRecord, mediaIds: readonly MediaId[], size?: RenditionSize): Operations {
  const jobs: Record<string, Operation> = {}
  for (let from = 0; from < mediaIds.length; from += MAX_COPIES) {
    jobs[`copies ${from}`] = askForCopies(library, companyId, mediaIds.slice(from, from + MAX_COPIES), size)
  }
  return jobs
}

/**
 * Polls for some seconds for the missing downloads of the next list. Removes deleted files from it. Lists anew where one has another name by now: the
 * names of the archive are made of all.
 * @throws Unzippable after too long without progress
 */
export async function awaitDownloads(library: Preparing, zip: ZipRecord, outOfTime: () => boolean): Promise<ZipRecord> {
  const index = zip.listing!.lists.findIndex(({ waiting }) => waiting > 0)
  const isLate = timer(LONGEST_WATCH_MS)
  const isOver = () => outOfTime() || isLate()
  let entries = await readEntries(library, zip, zip.listing!.lists[index]!.name)
  const areReady = async () => {
    const seen = await look(library, zip, entries, isOver)
    entries = seen ?? entries
    return seen === undefined ? 'renamed' : waitingIn(entries) === 0 || undefined
  }
  if ((await waitFor(library.clock, areReady, isOver, PAUSES)) === 'renamed') return beginListing(library, zip)
  return note(library, zip, index, entries)
}

const waitingIn = (entries: readonly ListedEntry[]): number => entries.filter(({ waits }) => waits).length

/**
 * Checks the first waiting entries.
 * @param isOver asked before each object that is read for its checksum, after the first; true stops
 * @returns the list with ready entries updated, without deleted files and those whose download can't be made; undefined where one has another name
 */
async function look(
  library: Preparing,
  zip: ZipRecord,
  entries: readonly ListedEntry[],
  isOver: () => boolean,
): Promise<ListedEntry[] | undefined> {
  const looked = entries.filter(({ waits }) => waits).slice(0, LOOKED_AT)
  const media = (
    await getMany(
      library,
      looked.flatMap(({ file }) => file?.mediaId ?? []),
    )
  ).filter(isAvailable)
  const delivered = await deliveredOf(library, zip, media)
  await digestSome(library, delivered, isOver)
  const now = new Map(delivered.map((each) => [each.media.mediaId, each]))
  if (looked.some(({ file, filename }) => file && isRenamed(now.get(file.mediaId), filename))) return undefined
  const seen = new Set(looked)
  return entries.flatMap((entry) => {
    if (!seen.has(entry) || !entry.file) return [entry]
    const found = now.get(entry.file.mediaId)
    if (!found) return []
    const { path, filename } = entry
    const { version, modified } = found.media
    return [entryOf({ path, modified, ...(filename !== undefined && { filename }) }, { ...entry.file, version }, found.stored)]
  })
}

const isRenamed = (found: Delivered | undefined, listed: string | undefined): boolean => found !== undefined && found.filename !== listed

async function digestSome(library: Preparing, delivered: readonly Delivered[], isOver: () => boolean): Promise<void> {
  let isFirst = true
  await inParallel(new Set(delivered), AT_ONCE, async (each) => {
    if (each.undigested === undefined || (!isFirst && isOver())) return
    isFirst = false
    const stored = await digested(library, each.undigested)
    if (stored) each.stored = stored
  })
}

/**
 * Stores the list once no entry waits. A list of previews is stored at each progress, because reading checksums again would be expensive.
 */
async function note(library: Preparing, zip: ZipRecord, index: number, entries: readonly ListedEntry[]): Promise<ZipRecord> {
  const listing = zip.listing!
  const before = listing.lists[index]!
  const now = library.clock.now()
  const waiting = waitingIn(entries)
  if (waiting > 0 && waiting === before.waiting) {
    if (now - listing.lastProgress >= GIVE_UP_MS) throw new Unzippable('the downloads of its files were not made')
    // Versions of files may have changed.
    return now - listing.lastAsked >= ASK_AGAIN_MS ? changeZip(library, zip, { listing: { ...listing, askedLists: index } }) : zip
  }
  const isStored = waiting === 0 || isOfPreviews(zip)
  const list: StoredList = { name: isStored ? `entries-${index}.${zip.revision}` : before.name, entries: entries.length, waiting }
  if (isStored) await storeEntries(library, zip, list.name, entries)
  const lists = listing.lists.with(index, list)
  return changeZip(library, zip, { listing: { ...listing, lists, lastProgress: now } })
}
