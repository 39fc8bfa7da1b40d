import type { ObjectLabels, Objects } from '../../backends/objects/port.ts'
import { LADDER, POSTER } from '../../vocabulary/video.ts'
import { everyObject } from '../pages.ts'
import { streamCacheControl, videoObjects } from '../videos/objects.ts'
import { type Encoding, newEncodingId, type VideoRecord } from '../videos/video.ts'
import { type Encoded, type Encodings, removeOutputs } from './encoding.ts'

/** An encoding whose job was lost so many times fails. */
const MOST_LOST = 3
/** Longest reason that is kept, in characters. */
const LONGEST_REASON = 500

/** Looks what became of the job of an encoding. @throws TranscoderUnavailable */
export async function followEncoding<E extends Encoding>(
  library: Encodings,
  video: VideoRecord,
  encoded: Encoded,
  encoding: E,
): Promise<E> {
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
        (await stored(library, video, encoded, encoding)) ??
        failed(library, video, encoded, encoding, 'the transcoder was done, and had stored nothing')
      )
  }
}

/** An encoding that failed. Its objects go first: nobody looks for those of a failed one. @param reason for the operator */
export async function failed<E extends Encoding>(
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

/** Under another id, because its job may be at work where nobody sees it. */
async function lost<E extends Encoding>(library: Encodings, video: VideoRecord, encoded: Encoded, encoding: E): Promise<E> {
  const times = (encoding.lost ?? 0) + 1
  if (times >= MOST_LOST) return failed(library, video, encoded, encoding, 'the transcoder lost its job again and again')
  await removeOutputs(library, video, encoded, encoding)
  library.log.warn('the transcoder lost a job: it is started again', { media: video.mediaId, encoded, encoding: encoding.encodingId })
  return { ...encoding, encodingId: newEncodingId(), state: 'queued', jobId: undefined, lost: times }
}

/** The encoding, with its poster, where the job stored what it was to make. */
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

/** Of the pictures that the job took, the last one is the best. @returns whether there is one: a very short video may have none */
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
