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
      return (await isStored(library, video, encoded, encoding))
        ? { ...encoding, state: 'available' }
        : failed(library, video, encoded, encoding, 'the transcoder was done, and had stored nothing')
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

/** Whether the job stored what it was to make. A stream gets its poster. */
async function isStored(library: Encodings, video: VideoRecord, encoded: Encoded, { encodingId }: Encoding): Promise<boolean> {
  const { media, publicFiles } = library
  if (encoded === 'preview') return (await media.head(videoObjects.preview(video, encodingId))) !== undefined
  const prefix = videoObjects.stream(encodingId)
  if (!(await publicFiles.head(`${prefix}${LADDER}`))) return false
  await storePoster(library, prefix)
  return true
}

/** Of the pictures that the job took, the last one is the best. A very short video may have none. */
async function storePoster({ publicFiles }: Pick<Encodings, 'publicFiles'>, prefix: string): Promise<void> {
  const key = `${prefix}${POSTER}`
  const pictures = await Array.fromAsync(everyObject(publicFiles, `${prefix}poster.`), (picture) => picture.key)
  const last = pictures.filter((picture) => picture !== key).at(-1)
  if (last !== undefined) await publicFiles.copy({ key: last }, key, { contentType: 'image/jpeg', cacheControl: streamCacheControl(key) })
}
