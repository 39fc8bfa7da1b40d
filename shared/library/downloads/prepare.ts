import { setTimeout as sleep } from 'node:timers/promises'
import { ObjectMissing, type Objects } from '../../backends/objects/port.ts'
import { crc32OfFile } from '../../tools/digest.ts'
import { isOfTheSystem, ToolFailed } from '../../tools/failure.ts'
import type { ExifTool } from '../../tools/metadata/exiftool.ts'
import { Workspace } from '../../tools/workspace.ts'
import type { MediaId } from '../../vocabulary/ids.ts'
import { NotFound } from '../errors.ts'
import type { Writing } from '../library.ts'
import { isTooLarge } from '../media/copy-job.ts'
import { getMany, getMedia } from '../media/find.ts'
import { type AvailableMedia, isAvailable, type Rendition } from '../media/media.ts'
import { inParallel } from '../parallel.ts'
import { renewing } from '../renewal.ts'
import {
  CLAIM_MS,
  type Deliverable,
  deliverableOf,
  isBeingMade,
  isEnding,
  isReady,
  type PreparedDownload,
  type StoredDownload,
} from './prepared.ts'
import { asItIs, readyDeliverables } from './ready.ts'
import { claim, findDownload, goOn, keep, settle, supersede } from './records.ts'
import { removeDownload } from './remove.ts'
import { originalSource, renditionSource, type Source, type WantedOriginal } from './source.ts'

/** What copies are made with. */
export interface Making extends Pick<Writing, 'table' | 'clock'> {
  media: Objects
  exiftool: Pick<ExifTool, 'writeFields'>
}

/** Files at a time: while ExifTool writes two, others are fetched and stored. */
const PARALLELISM = 4
/** A file is not tried any more after so many makers of its copy crashed: it is delivered as it is. */
const MOST_CRASHES = 3
/** Milliseconds between two looks at what another one makes. */
const [SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS] = [5, 250]

/**
 * What is delivered for an original at the version that was read: a copy that carries the metadata of that version, where the file can carry
 * any. It is made unless it is ready. Of any number of processes one makes it, the others wait; when that one crashes, the next takes over.
 * @throws NotFound when the file is gone, and the errors of infrastructure
 */
export async function prepareDownload(library: Making, media: AvailableMedia, wanted: WantedOriginal = {}): Promise<Deliverable> {
  const source = originalSource(media, wanted)
  if (!source || isTooLarge(source)) return asItIs(media)
  return deliverableOf(await prepare(library, source), asItIs(media))
}

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

/** What is delivered for a rendition, in the same way. */
export async function prepareRendition(
  library: Making,
  media: AvailableMedia,
  rendition: Rendition,
): Promise<Pick<Deliverable, 'key' | 'metadataWritten'>> {
  const source = renditionSource(media, rendition)
  if (!source) return { key: rendition.key, metadataWritten: true }
  return deliverableOf(await prepare(library, source), { key: rendition.key })
}

/** What is delivered for an original, without making it. @returns 'being made' while somebody does, undefined while nobody does */
export async function readyOrBeingMade(library: Making, media: AvailableMedia): Promise<Deliverable | 'being made' | undefined> {
  const source = originalSource(media)
  if (!source || isTooLarge(source)) return asItIs(media)
  const { ready, isMaking } = await look(library, source)
  if (ready) return deliverableOf(ready, asItIs(media))
  return isMaking ? 'being made' : undefined
}

async function prepare(library: Making, source: Source): Promise<StoredDownload> {
  for (let pause = SHORTEST_PAUSE_MS; ; pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS)) {
    const { ready, isMaking, found } = await look(library, source)
    if (ready) return ready
    if (isMaking) {
      await sleep(pause)
      continue
    }
    const claimed = await claim(library, source, found)
    const made = claimed && (await make(library, source, claimed))
    if (made) return made
  }
}

/** What there is of a copy now. One that is ready is kept for as long as it is used. */
async function look(library: Making, source: Source) {
  for (;;) {
    const found = await findDownload(library, source)
    const now = library.clock.now()
    if (!found || !isReady(found, now)) return { found, isMaking: found !== undefined && isBeingMade(found, now) }
    if (!isEnding(found, now) || (await keep(library, found))) return { found, ready: found, isMaking: false }
  }
}

/** @returns undefined where another one took over meanwhile */
async function make(library: Making, source: Source, claimed: StoredDownload): Promise<StoredDownload | undefined> {
  const ready = await attempt(library, source, claimed)
  if (!ready) await library.media.delete([claimed.key])
  else if (ready.former.length > 0) await library.media.delete(ready.former)
  if (ready) await supersede(library, source.media.mediaId)
  return ready
}

async function attempt(library: Making, source: Source, claimed: StoredDownload): Promise<StoredDownload | undefined> {
  const { mediaId } = source.media
  try {
    // Who removes a file removes what is prepared of it by the records. So the file must be there after this record is.
    if (!(await getMedia(library, mediaId))) throw new NotFound('media')
    await using _ = renewing(CLAIM_MS, () => goOn(library, claimed))
    const copy = claimed.crashes < MOST_CRASHES ? await makeCopy(library, source, claimed.key) : undefined
    return await settle(library, claimed, copy)
  } catch (error) {
    // No fault of the file: the next who asks may try at once. Where even this fails the claim runs out.
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
    if (error instanceof ToolFailed && !isOfTheSystem(error)) return undefined
    throw error
  }
  const storing = media.putFile(key, target, { contentType: source.mime })
  const [{ bytes, etag }, crc32] = await Promise.all([storing, crc32OfFile(target)])
  return { bytes, etag, crc32 }
}
