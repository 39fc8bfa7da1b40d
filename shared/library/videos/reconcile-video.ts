import type { ObjectLabels, Objects } from '../../backends/objects/port.ts'
import { JobRefused, TranscoderUnavailable } from '../../backends/transcoder/port.ts'
import { LADDER, POSTER } from '../../vocabulary/video.ts'
import { retryOnConflict } from '../concurrency/retry.ts'
import type { Again } from '../jobs/run.ts'
import { getMedia } from '../media/find.ts'
import { isAvailable } from '../media/media.ts'
import { everyObject } from '../pages.ts'
import { ASK_AGAIN_SECONDS, type Encoded, type Encodings, jobOf, removeOutputs } from './encoding.ts'
import { outcomeOf } from './encoding-outcome.ts'
import { exchangeSource } from './exchange-source.ts'
import { streamCacheControl, videoObjects } from './objects.ts'
import { secondsAfterPictures } from './pad-sound.ts'
import { removeAllObjects, removeUnneededObjects, removeVideo } from './remove-video.ts'
import { storePlaylist } from './store-playlist.ts'
import { type Encoding, getVideo, isPending, newEncodingId, type Stream, streamsOf, type VideoRecord } from './video.ts'

/**
 * Reconciles the stored objects of a video with its record: starts jobs of the transcoder, takes their results, stores playlists with subtitles,
 * and removes the objects of a deleted file. Idempotent; safe to run concurrently and to crash.
 * @returns when the job is to run again; undefined where it is done
 * @throws Conflict when writers keep changing the record
 */
export async function reconcileVideo(library: Encodings, { mediaId }: Pick<VideoRecord, 'mediaId'>): Promise<Again | undefined> {
  return retryOnConflict(async () => {
    const video = await getVideo(library, mediaId)
    if (!video) return undefined
    const media = await getMedia(library, mediaId)
    if (!media) return removeVideo(library, video)
    try {
      return await reconcile(library, isAvailable(media) ? await exchangeSource(library, video, media) : video)
    } catch (error) {
      // A concurrent run may have removed the objects while this one stored more.
      if (!(await getMedia(library, mediaId))) await removeAllObjects(library, video)
      throw error
    }
  })
}

/** @throws ConditionFailed */
async function reconcile(library: Encodings, video: VideoRecord): Promise<Again | undefined> {
  const preview = await continueEncoding(library, video, 'preview', video.preview)
  const stream = await continueStream(library, video, video.stream)
  const next = await continueStream(library, video, video.nextStream)
  const isUnchanged = preview.encoding === video.preview && stream?.encoding === video.stream && next?.encoding === video.nextStream
  const outcome = { preview: preview.encoding, stream: stream?.encoding, nextStream: next?.encoding }
  const { operations, after } = outcomeOf(library, video, outcome)
  if (!isUnchanged) await library.table.transact(operations)
  const now = isUnchanged ? video : after
  if (preview.isUnreached || stream?.isUnreached || next?.isUnreached) return { inSeconds: ASK_AGAIN_SECONDS }
  return nextPoll(library, now) ?? removeUnneededObjects(library, now)
}

/** Goes on with a stream. One that is there has its playlist. */
async function continueStream(library: Encodings, video: VideoRecord, stream: Stream | undefined) {
  if (!stream) return undefined
  const continued = await continueEncoding(library, video, 'stream', stream)
  if (continued.encoding.state !== 'available') return continued
  return { ...continued, encoding: await storePlaylist(library, video, continued.encoding) }
}

/**
 * When to poll pending encodings next. The transcoder's event usually comes first, but it may be lost, or precede the transcoder's own state. The
 * pause is a quarter of the time since the last request or event.
 */
function nextPoll({ clock }: Pick<Encodings, 'clock'>, video: VideoRecord): Again | undefined {
  const { preview, toldAt = 0 } = video
  const pending = [preview, ...streamsOf(video)].filter(isPending)
  if (pending.length === 0) return undefined
  const since = Math.max(toldAt, ...pending.map(({ asked }) => asked))
  return { inSeconds: Math.max(ASK_AGAIN_SECONDS, Math.ceil((clock.now() - since) / 4_000)) }
}

/** @returns also whether the transcoder could not be reached. An outage of any length fails no encoding */
async function continueEncoding<E extends Encoding>(
  library: Encodings,
  video: VideoRecord,
  encoded: Encoded,
  encoding: E,
): Promise<{ encoding: E; isUnreached?: boolean }> {
  try {
    if (encoding.state === 'queued') return { encoding: await startEncoding(library, video, encoded, encoding) }
    if (encoding.state === 'encoding') return { encoding: await followEncoding(library, video, encoded, encoding) }
    return { encoding }
  } catch (error) {
    if (!(error instanceof TranscoderUnavailable)) throw error
    library.log.warn('the transcoder could not be reached', { media: video.mediaId, encoded, error })
    return { encoding, isUnreached: true }
  }
}

/**
 * Starts the job of a queued encoding. Idempotent: the encoding's id names the job.
 * @throws TranscoderUnavailable
 */
async function startEncoding<E extends Encoding>(library: Encodings, video: VideoRecord, encoded: Encoded, encoding: E): Promise<E> {
  const job = jobOf(video, encoded, encoding)
  if (!job) return failed(library, video, encoded, encoding, 'nobody knows how large its picture is')
  try {
    return { ...encoding, state: 'encoding', jobId: await library.transcoder.start(job) }
  } catch (error) {
    if (!(error instanceof JobRefused)) throw error
    return failed(library, video, encoded, encoding, `the transcoder refused it: ${error.message}`)
  }
}

/** Lost jobs after which an encoding fails. */
const MOST_LOST = 3
/** Longest stored reason, in characters. */
const LONGEST_REASON = 500

/** Reads the state of an encoding's job. @throws TranscoderUnavailable */
async function followEncoding<E extends Encoding>(library: Encodings, video: VideoRecord, encoded: Encoded, encoding: E): Promise<E> {
  const job = await library.transcoder.stateOf(encoding.jobId!)
  switch (job.state) {
    case 'running':
      return encoding
    case 'failed':
      return failed(library, video, encoded, encoding, job.reason)
    case 'gone':
      return lost(library, video, encoded, encoding)
    case 'done':
      return (
        (await tooShort(library, video, encoded, encoding)) ??
        (await stored(library, video, encoded, encoding)) ??
        failed(library, video, encoded, encoding, 'the transcoder was done, and had stored nothing')
      )
  }
}

/** Marks an encoding as failed. Its objects go first: no later run removes those of a failed one. @param reason for the operator */
async function failed<E extends Encoding>(
  library: Encodings,
  video: VideoRecord,
  encoded: Encoded,
  encoding: E,
  reason: string,
): Promise<E> {
  await removeOutputs(library, video, encoded, encoding)
  library.log.warn('a video was not encoded', { media: video.mediaId, encoded, encoding: encoding.encodingId, reason })
  return { ...encoding, state: 'failed', reason: reason.slice(0, LONGEST_REASON) }
}

/**
 * Queues a stream under another id, with pictures until its sound ends. How long either lasts only an encoder finds out, and containers tell it wrongly.
 * @returns undefined where nothing is too short, or another attempt was no longer
 */
async function tooShort<E extends Encoding>(library: Encodings, video: VideoRecord, encoded: Encoded, encoding: E): Promise<E | undefined> {
  if (encoded === 'preview' || encoding.stillSeconds) return undefined
  const stillSeconds = await secondsAfterPictures(library.publicFiles, videoObjects.stream(encoding.encodingId))
  if (!stillSeconds) return undefined
  await removeOutputs(library, video, encoded, encoding)
  library.log.info('the sound of a video goes on after its pictures: its stream is made again', {
    media: video.mediaId,
    seconds: stillSeconds,
  })
  return { ...encoding, encodingId: newEncodingId(), state: 'queued', jobId: undefined, stillSeconds }
}

/** Queues the encoding under another id, because the lost job may still be running. */
async function lost<E extends Encoding>(library: Encodings, video: VideoRecord, encoded: Encoded, encoding: E): Promise<E> {
  const times = (encoding.lost ?? 0) + 1
  if (times >= MOST_LOST) return failed(library, video, encoded, encoding, 'the transcoder lost its job again and again')
  await removeOutputs(library, video, encoded, encoding)
  library.log.warn('the transcoder lost a job: it is started again', { media: video.mediaId, encoded, encoding: encoding.encodingId })
  return { ...encoding, encodingId: newEncodingId(), state: 'queued', jobId: undefined, lost: times }
}

/** The available encoding, with its poster; undefined where the job stored no output. */
async function stored<E extends Encoding>(library: Encodings, video: VideoRecord, encoded: Encoded, encoding: E): Promise<E | undefined> {
  const { encodingId } = encoding
  const { media, publicFiles } = library
  const isPreview = encoded === 'preview'
  const objects = isPreview ? media : publicFiles
  const prefix = isPreview ? videoObjects.previewFiles(video, encodingId) : videoObjects.stream(encodingId)
  if (!(await objects.head(isPreview ? videoObjects.preview(video, encodingId) : `${prefix}${LADDER}`))) return undefined
  const hasPoster = await storePoster(objects, prefix, isPreview ? {} : { cacheControl: streamCacheControl(POSTER) })
  return { ...encoding, state: 'available', ...(hasPoster && { hasPoster }) }
}

/** Makes the last picture of the job the poster. @returns false for very short videos, which may have none */
async function storePoster(
  objects: Pick<Objects, 'list' | 'copy'>,
  prefix: string,
  labels: Pick<ObjectLabels, 'cacheControl'>,
): Promise<boolean> {
  const key = `${prefix}${POSTER}`
  const pictures = await Array.fromAsync(everyObject(objects, `${prefix}poster.`), (picture) => picture.key)
  const last = pictures.filter((picture) => picture !== key).at(-1)
  if (last === undefined) return false
  await objects.copy({ key: last }, key, { contentType: 'image/jpeg', ...labels })
  return true
}
