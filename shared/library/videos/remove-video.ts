import type { Objects } from '../../backends/objects/port.ts'
import { JobRefused, TranscoderUnavailable } from '../../backends/transcoder/port.ts'
import type { EncodingId } from '../../vocabulary/ids.ts'
import { PLAYLIST } from '../../vocabulary/video.ts'
import { asRead } from '../concurrency/conditional.ts'
import type { Again } from '../jobs/run.ts'
import type { Writing } from '../library.ts'
import { forgetStream } from '../links/invalidation.ts'
import { everyObject } from '../pages.ts'
import { removeBelow } from '../remove-below.ts'
import { ASK_AGAIN_SECONDS, type Encoded, type Encodings, jobOf } from './encoding.ts'
import { videoObjects } from './objects.ts'
import { subtitlesNames } from './playlist.ts'
import { subtitlesOf } from './store-playlist.ts'
import { type Encoding, isPending, streamsOf, type VideoRecord, videoChange, videoKey } from './video.ts'

/**
 * Removes all objects of a video whose file is deleted, then its record. Running jobs are cancelled first, so that none stores more. Idempotent.
 * @returns when to continue, where a job is still running
 * @throws ConditionFailed where the record has changed meanwhile
 */
export async function removeVideo(library: Encodings, video: VideoRecord): Promise<Again | undefined> {
  const { preview, replacedStreams = [] } = video
  const streams = streamsOf(video).map((encoding) => ({ encoded: 'stream', encoding }) as const)
  const jobs = [{ encoded: 'preview', encoding: preview } as const, ...streams]
  const ended = await Promise.all(jobs.map(({ encoded, encoding }) => hasEnded(library, video, encoded, encoding)))
  if (ended.includes(false)) return { inSeconds: ASK_AGAIN_SECONDS }
  await removeAllObjects(library, video)
  const gone = { delete: videoKey(video.mediaId), if: { revision: asRead(video.revision) } }
  const shown = [...replacedStreams, ...streamsOf(video).filter(({ state }) => state === 'available')]
  await library.table.transact(Object.assign({ gone }, ...shown.map(({ encodingId }) => forgetStream(library, encodingId))))
  return undefined
}

/** Removes the objects that were made of a video. */
export async function removeAllObjects(
  { media, publicFiles }: Pick<Encodings, 'media' | 'publicFiles'>,
  video: VideoRecord,
): Promise<void> {
  const { formerStreams = [], replacedStreams = [] } = video
  const ids = [...formerStreams, ...[...replacedStreams, ...streamsOf(video)].map(({ encodingId }) => encodingId)]
  for (const id of ids) await removeBelow(publicFiles, videoObjects.stream(id))
  await removeBelow(media, videoObjects.previews(video))
  await removeBelow(media, videoObjects.allSubtitles(video))
}

/** Ends the job of an encoding. @returns whether it has ended */
async function hasEnded(library: Encodings, video: VideoRecord, encoded: Encoded, encoding: Encoding): Promise<boolean> {
  if (!isPending(encoding)) return true
  const { transcoder } = library
  try {
    const jobId = encoding.jobId ?? (await jobIdOf(library, video, encoded, encoding))
    if (jobId === undefined) return true
    await transcoder.cancel(jobId)
    return (await transcoder.stateOf(jobId)).state !== 'running'
  } catch (error) {
    if (!(error instanceof TranscoderUnavailable)) throw error
    return false
  }
}

/** The id of a job that a crashed run may have started without recording it. Starting the same job again returns its id. */
async function jobIdOf({ transcoder }: Encodings, video: VideoRecord, encoded: Encoded, encoding: Encoding): Promise<string | undefined> {
  const job = jobOf(video, encoded, encoding)
  if (!job) return undefined
  try {
    return await transcoder.start(job)
  } catch (error) {
    if (!(error instanceof JobRefused)) throw error
    return undefined
  }
}

/**
 * Age in milliseconds at which an unreferenced object is removed. A younger one may belong to a change that is about to be committed. Players may
 * still use a playlist that names it, so the playlist without it must have this age, too.
 */
const NEEDED_FOR_MS = 900_000

/**
 * Removes unreferenced objects of a video: former subtitles, previews and streams whose jobs were lost.
 * @param video without a pending encoding
 * @returns when there is more to remove
 */
export async function removeUnneededObjects(
  library: Pick<Encodings, 'media' | 'publicFiles' | 'table' | 'clock' | 'by'>,
  video: VideoRecord,
): Promise<Again | undefined> {
  const { media, publicFiles } = library
  const { preview, stream, formerStreams = [], replacedStreams = [] } = video
  const all = subtitlesOf(video)
  const isOfPreview = (key: string) => preview.state === 'available' && key.startsWith(videoObjects.previewFiles(video, preview.encodingId))
  const stored = new Set(all.map(({ language, id }) => videoObjects.subtitles(video, language, id)))
  const waits = [
    await removeUnneeded(library, media, videoObjects.previews(video), isOfPreview),
    await removeUnneeded(library, media, videoObjects.allSubtitles(video), (key) => stored.has(key)),
  ]
  for (const former of formerStreams) waits.push(await removeUnneeded(library, publicFiles, videoObjects.stream(former), () => false))
  for (const { encodingId, since } of replacedStreams) {
    const wait = await removeUnneeded(library, publicFiles, videoObjects.stream(encodingId), () => false, since)
    if (wait === 0) return forgetReplaced(library, video, encodingId)
    waits.push(wait)
  }
  if (stream?.state === 'available') {
    const prefix = videoObjects.stream(stream.encodingId)
    const shown = all.map((each) => `${prefix}${subtitlesNames(each)}`)
    const isShown = (key: string) => shown.some((names) => key.startsWith(names))
    const { modified } = (await publicFiles.head(`${prefix}${PLAYLIST}`)) ?? {}
    waits.push(await removeUnneeded(library, publicFiles, `${prefix}subtitles_`, isShown, modified))
  }
  const longest = Math.max(0, ...waits)
  return longest > 0 ? { inSeconds: longest } : undefined
}

/** @param namedUntil UNIX milliseconds @returns the seconds until all can be removed; 0 where all is */
async function removeUnneeded(
  { clock }: Pick<Encodings, 'clock'>,
  objects: Pick<Objects, 'list' | 'delete'>,
  prefix: string,
  isNeeded: (key: string) => boolean,
  namedUntil = 0,
): Promise<number> {
  const all = await Array.fromAsync(everyObject(objects, prefix), ({ key, modified }) => ({ key, since: Math.max(modified, namedUntil) }))
  const unneeded = all.filter(({ key }) => !isNeeded(key))
  const oldest = clock.now() - NEEDED_FOR_MS
  const old = unneeded.filter(({ since }) => since <= oldest).map(({ key }) => key)
  if (old.length > 0) await objects.delete(old)
  const waits = unneeded.map(({ since }) => Math.ceil((since - oldest) / 1000))
  return Math.min(NEEDED_FOR_MS / 1000, Math.max(0, ...waits))
}

/** Has edges forget a replaced stream, whose objects are gone. @returns that there may be more to remove */
async function forgetReplaced(library: Writing, video: VideoRecord, encodingId: EncodingId): Promise<Again> {
  const replacedStreams = video.replacedStreams?.filter((each) => each.encodingId !== encodingId)
  const { operations } = videoChange(library, video, { replacedStreams })
  await library.table.transact({ ...operations, ...forgetStream(library, encodingId) })
  return {}
}
