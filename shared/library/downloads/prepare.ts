import { ObjectMissing, type Objects } from '../../backends/objects/port.ts'
import { timeLeft } from '../../deadline.ts'
import { inParallel } from '../../parallel.ts'
import { crc32OfFile } from '../../tools/digest.ts'
import { ToolFailed } from '../../tools/failure.ts'
import type { ExifTool } from '../../tools/metadata/exiftool.ts'
import { Workspace } from '../../tools/workspace.ts'
import type { MediaId } from '../../vocabulary/ids.ts'
import type { RenditionSize } from '../../vocabulary/rendition-size.ts'
import { held } from '../concurrency/conditional.ts'
import { waitFor } from '../concurrency/wait-for.ts'
import { Conflict, NotFound } from '../errors.ts'
import { JobKind } from '../jobs/job.ts'
import { runHere } from '../jobs/run-here.ts'
import type { Writing } from '../library.ts'
import { getMany, getMedia } from '../media/find.ts'
import { type AvailableMedia, isAvailable } from '../media/media.ts'
import { type CopyName, type CopyRecord, findCopy, isReady, madeCopy, nameOf, newCopy, readyCopies, readyCopy } from './copies.ts'
import { askForExpiry, supersedeOlder } from './expiry.ts'
import { originalSource, renditionSource, type Source, sourceNamed, type WantedOriginal } from './source.ts'

/** The resources of the making of copies. */
export interface Making extends Writing {
  media: Objects
  exiftool: Pick<ExifTool, 'writeFields'>
}

/** Makes a copy of a file that carries the metadata of one version of it. */
export const copyJob = new JobKind<CopyName & WantedOriginal>('prepare-download')

/** Parallelism: while ExifTool writes two files, others are fetched and stored. */
const PARALLELISM = 4
/** Attempts that crashed after which a file is delivered unchanged. */
const MOST_CRASHES = 3

/** `Retry-After` in seconds. */
const RETRY_AFTER = 5

/**
 * The copy of a source. This process makes it, unless it is ready or another process makes it; after a crash a run does.
 * @throws Conflict `download_pending` when it takes too long, or the file was replaced and its bytes deleted meanwhile; NotFound when it is gone, and the errors of infrastructure
 */
export async function prepareCopy(library: Making, source: Source, timeoutMs = timeLeft()): Promise<CopyRecord> {
  const { media, breaksCredentials } = source
  const name = nameOf(source)
  const subject = `${name.mediaId}-${name.version}-${name.variant}`
  const wanted = { companyId: media.companyId, subject, input: { ...name, breaksCredentials } }
  const end = performance.now() + timeoutMs
  const look = async () => {
    const ready = await readyCopy(library, source)
    if (ready) return ready
    const made = await runHere(library, copyJob, wanted, ({ cutOff }) => makeCopy(library, source, cutOff), end - performance.now())
    if (made === 'gone') throw new NotFound('media')
    return made
  }
  return (await waitFor(library.clock, look, () => performance.now() >= end)) ?? pending()
}

export function pending(): never {
  throw new Conflict('The metadata is still being written into the file. Try again in a few seconds.', 'download_pending', RETRY_AFTER)
}

/** Makes a copy that a process began to make and did not end. Skips files that are deleted, or have another version by now. */
export async function makeNamedCopy(library: Making, { mediaId, version, variant, ...wanted }: CopyName & WantedOriginal, crashes: number) {
  const media = await getMedia(library, mediaId)
  if (!media || !isAvailable(media) || media.version !== version) return
  const source = sourceNamed(media, variant, wanted)
  if (source) await makeCopy(library, source, crashes)
}

/**
 * Prepares the originals of files at their current versions, or their renditions of a size. Idempotent. Skips copies that are ready and files
 * that are deleted.
 * @throws AggregateError after all others are done
 */
export async function prepareDownloads(library: Making, mediaIds: readonly MediaId[], size?: RenditionSize): Promise<void> {
  const media = (await getMany(library, mediaIds)).filter(isAvailable)
  const sources = media.flatMap((each) => sourceIn(each, size) ?? [])
  const ready = await readyCopies(library, sources)
  const missing = sources.filter((_, index) => !ready[index])
  const failures: unknown[] = []
  await inParallel(missing, PARALLELISM, async (source) => {
    await prepareCopy(library, source).catch((error: unknown) => failures.push(error))
  })
  const faults = failures.filter((error) => !(error instanceof NotFound))
  if (faults.length > 0) throw new AggregateError(faults, `${faults.length} of ${media.length} downloads could not be prepared`)
}

function sourceIn(media: AvailableMedia, size: RenditionSize | undefined): Source | undefined {
  if (size === undefined) return originalSource(media)
  const rendition = media.renditions[size]
  return rendition && renditionSource(media, rendition)
}

/** @param crashes attempts just before this one that crashed */
async function makeCopy(library: Making, source: Source, crashes: number): Promise<CopyRecord | 'gone' | undefined> {
  const before = await findCopy(library, source)
  if (before && isReady(before, library.clock.now())) return before
  const copy = newCopy(library, source)
  try {
    return await noteCopy(library, source, madeCopy(library, copy, await storeCopy(library, source, copy, crashes)), before)
  } catch (error) {
    if (!(error instanceof ObjectMissing)) throw error
    const now = await getMedia(library, copy.mediaId)
    if (!now) return 'gone'
    // Another file took the place of this one, whose bytes were deleted: who asks again gets that.
    if (now.version !== copy.version) pending()
    throw error
  }
}

/** Stores a copy of a file that carries its fields. @returns undefined where the file can't be written @throws ObjectMissing, and the system's errors */
async function storeCopy(library: Making, source: Source, copy: CopyRecord, crashes: number): Promise<CopyRecord['stored']> {
  const { table, media, exiftool } = library
  await using workspace = await Workspace.open('download')
  const [original, target] = [workspace.path('original'), workspace.path('copy')]
  const isWritable = crashes < MOST_CRASHES
  // The job comes before the object: it removes what a failure leaves.
  await Promise.all([isWritable && media.fetch(source.key, original), table.transact({ expiry: askForExpiry(library, copy) })])
  if (!isWritable) return undefined
  try {
    await exiftool.writeFields(original, target, source.fields, { breaksCredentials: source.breaksCredentials })
  } catch (error) {
    if (error instanceof ToolFailed) return undefined
    throw error
  }
  const storing = media.putFile(copy.key, target, { contentType: source.mime })
  const [{ bytes, etag }, crc32] = await Promise.all([storing, crc32OfFile(target)])
  return { bytes, etag, crc32 }
}

/** Writes the record of a copy. @returns that of another process where that was faster */
async function noteCopy(library: Making, source: Source, copy: CopyRecord, before: CopyRecord | undefined) {
  const { table, media } = library
  const { pk, sk, key, mediaId } = copy
  const isFirst = await held(table.put(copy, before ? { key: { equals: before.key } } : { pk: { exists: false } }))
  // Deletion finds copies by their records, so check the file after writing this record.
  const [found] = await Promise.all([getMedia(library, mediaId), isFirst && supersedeOlder(library, mediaId)])
  if (isFirst && found) return copy
  if (isFirst) await table.delete({ pk, sk })
  await media.delete([key])
  return found ? findCopy(library, source) : 'gone'
}
