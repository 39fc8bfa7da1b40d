import { ObjectMissing, type Objects } from '../../backends/objects/port.ts'
import { inParallel } from '../../parallel.ts'
import { crc32OfFile } from '../../tools/digest.ts'
import { ToolFailed } from '../../tools/failure.ts'
import type { ExifTool } from '../../tools/metadata/exiftool.ts'
import { Workspace } from '../../tools/workspace.ts'
import type { MediaId } from '../../vocabulary/ids.ts'
import type { RenditionSize } from '../../vocabulary/rendition-size.ts'
import { renewing } from '../concurrency/renewal.ts'
import { NotFound } from '../errors.ts'
import type { Writing } from '../library.ts'
import { isTooLarge } from '../media/copy-job.ts'
import { getMany, getMedia } from '../media/find.ts'
import { type AvailableMedia, isAvailable, type Rendition } from '../media/media.ts'
import {
  CLAIM_MS,
  claim,
  type Deliverable,
  deliverableOf,
  findDownload,
  isBeingMade,
  isEnding,
  isReady,
  keepLonger,
  markReady,
  type PreparedDownload,
  readyDeliverables,
  readyRenditions,
  renewClaim,
  type StoredDownload,
  supersedeOlder,
  unchangedOriginal,
} from './copy-record.ts'
import { removeDownload } from './remove.ts'
import { originalSource, renditionSource, type Source, type WantedOriginal } from './source.ts'

/** The resources of the making of copies. */
export interface Making extends Pick<Writing, 'table' | 'clock'> {
  media: Objects
  exiftool: Pick<ExifTool, 'writeFields'>
}

/** Parallelism: while ExifTool writes two files, others are fetched and stored. */
const PARALLELISM = 4
/** Crashes of makers after which a file is delivered unchanged. */
const MOST_CRASHES = 3
/** Poll interval in ms while another process makes the copy. */
const [SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS] = [5, 250]

/**
 * The deliverable of an original: a copy with the metadata of the version that was read, where the format can carry any. Makes it unless it is
 * ready. One process makes it, others wait; the next takes over after a crash.
 * @throws NotFound when the file is gone, and the errors of infrastructure
 */
export async function prepareDownload(library: Making, media: AvailableMedia, wanted: WantedOriginal = {}): Promise<Deliverable> {
  const source = originalSource(media, wanted)
  if (!source || isTooLarge(source)) return unchangedOriginal(media)
  return deliverableOf(await prepare(library, source), unchangedOriginal(media))
}

/**
 * Prepares the originals of files at their current versions, or their renditions of a size. Idempotent. Skips copies that are ready and files
 * that are deleted.
 * @throws AggregateError after all others are done
 */
export async function prepareDownloads(library: Making, mediaIds: readonly MediaId[], size?: RenditionSize): Promise<void> {
  const media = (await getMany(library, mediaIds)).filter(isAvailable)
  const missing = size === undefined ? await missingOriginals(library, media) : await missingRenditions(library, media, size)
  const failures: unknown[] = []
  await inParallel(missing, PARALLELISM, async (prepareOne) => {
    await prepareOne().catch((error: unknown) => failures.push(error))
  })
  const faults = failures.filter((error) => !(error instanceof NotFound))
  if (faults.length > 0) throw new AggregateError(faults, `${faults.length} of ${media.length} downloads could not be prepared`)
}

type Missing = (() => Promise<unknown>)[]

async function missingOriginals(library: Making, media: readonly AvailableMedia[]): Promise<Missing> {
  const ready = await readyDeliverables(library, media)
  return media.filter((_, index) => !ready[index]).map((each) => () => prepareDownload(library, each))
}

async function missingRenditions(library: Making, media: readonly AvailableMedia[], size: RenditionSize): Promise<Missing> {
  const wanted = media.flatMap((each) => {
    const rendition = each.renditions[size]
    return rendition ? [{ media: each, rendition }] : []
  })
  const ready = await readyRenditions(library, wanted)
  return wanted.filter((_, index) => !ready[index]).map((each) => () => prepareRendition(library, each.media, each.rendition))
}

/** The deliverable of a rendition, made in the same way. */
export async function prepareRendition(
  library: Making,
  media: AvailableMedia,
  rendition: Rendition,
): Promise<Pick<Deliverable, 'key' | 'metadataWritten'>> {
  const source = renditionSource(media, rendition)
  if (!source) return { key: rendition.key, metadataWritten: true }
  return deliverableOf(await prepare(library, source), { key: rendition.key })
}

/** The deliverable of an original, without making it. @returns 'being made' while a maker is at work, undefined where none is */
export async function readyOrBeingMade(library: Making, media: AvailableMedia): Promise<Deliverable | 'being made' | undefined> {
  const source = originalSource(media)
  if (!source || isTooLarge(source)) return unchangedOriginal(media)
  const { ready, isMaking } = await currentCopy(library, source)
  if (ready) return deliverableOf(ready, unchangedOriginal(media))
  return isMaking ? 'being made' : undefined
}

async function prepare(library: Making, source: Source): Promise<StoredDownload> {
  for (let pause = SHORTEST_PAUSE_MS; ; pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS)) {
    const { ready, isMaking, found } = await currentCopy(library, source)
    if (ready) return ready
    if (isMaking) {
      await library.clock.sleep(pause)
      continue
    }
    const claimed = await claim(library, source, found)
    const made = claimed && (await makeAndSupersede(library, source, claimed))
    if (made) return made
  }
}

/** The copy as it is now. Renews a ready one that is near its end. */
async function currentCopy(library: Making, source: Source) {
  for (;;) {
    const found = await findDownload(library, source)
    const now = library.clock.now()
    if (!found || !isReady(found, now)) return { found, isMaking: found !== undefined && isBeingMade(found, now) }
    if (!isEnding(found, now) || (await keepLonger(library, found))) return { found, ready: found, isMaking: false }
  }
}

/** @returns undefined where another maker took over */
async function makeAndSupersede(library: Making, source: Source, claimed: StoredDownload): Promise<StoredDownload | undefined> {
  const ready = await attempt(library, source, claimed)
  if (!ready) await library.media.delete([claimed.key])
  else if (ready.former.length > 0) await library.media.delete(ready.former)
  if (ready) await supersedeOlder(library, source.media.mediaId)
  return ready
}

async function attempt(library: Making, source: Source, claimed: StoredDownload): Promise<StoredDownload | undefined> {
  const { mediaId } = source.media
  try {
    // Deletion finds copies by their records, so check the file after writing this record.
    if (!(await getMedia(library, mediaId))) throw new NotFound('media')
    await using _ = renewing(library.clock, CLAIM_MS, () => renewClaim(library, claimed))
    const copy = claimed.crashes < MOST_CRASHES ? await makeCopy(library, source, claimed.key) : undefined
    return await markReady(library, claimed, copy)
  } catch (error) {
    // The file isn't to blame, so the next caller may try at once. If this fails too, the claim runs out.
    await removeDownload(library, claimed).catch(() => false)
    if (error instanceof ObjectMissing && !(await getMedia(library, mediaId))) throw new NotFound('media')
    throw error
  }
}

/** Stores a copy of a file that carries its fields. @returns undefined where the file can't be written @throws ObjectMissing, and the system's errors */
async function makeCopy({ media, exiftool }: Making, source: Source, key: string): Promise<PreparedDownload['copy']> {
  await using workspace = await Workspace.open('download')
  const [original, target] = [workspace.path('original'), workspace.path('copy')]
  await media.fetch(source.key, original)
  try {
    await exiftool.writeFields(original, target, source.fields, { breaksCredentials: source.breaksCredentials })
  } catch (error) {
    if (error instanceof ToolFailed) return undefined
    throw error
  }
  const storing = media.putFile(key, target, { contentType: source.mime })
  const [{ bytes, etag }, crc32] = await Promise.all([storing, crc32OfFile(target)])
  return { bytes, etag, crc32 }
}
