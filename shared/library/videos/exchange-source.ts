import { TranscoderUnavailable } from '../../backends/transcoder/port.ts'
import type { Writing } from '../library.ts'
import type { Encodings } from './encoding.ts'
import {
  changeVideo,
  type ImportedVideo,
  isPending,
  queuedEncoding,
  type Stream,
  sourceOf,
  streamsOf,
  type VideoChange,
  type VideoRecord,
} from './video.ts'

/**
 * Has a video's record be one of the file's present bytes: after a replacement, and after going back. The preview is made anew. So is the stream; the one that
 * there is stays until then.
 * @returns the record after it
 * @throws ConditionFailed where the record has changed since it was read
 */
export async function exchangeSource(library: Encodings, video: VideoRecord, media: ImportedVideo): Promise<VideoRecord> {
  const change = changeOf(library, video, media)
  if (!change) return video
  const after = await changeVideo(library, video, change)
  await cancelBefore(library, video)
  return after
}

/** @returns undefined where the record is one of these bytes */
function changeOf(library: Pick<Writing, 'clock'>, video: VideoRecord, media: ImportedVideo): VideoChange | undefined {
  const { preview, stream, nextStream, formerStreams = [] } = video
  if (preview.stored === media.stored) return undefined
  const again = ({ requester, requestId }: Stream): Stream => ({ ...queuedEncoding(library, media), requester, requestId })
  const change = { source: sourceOf(media), preview: queuedEncoding(library, media) }
  if (!stream || stream.state === 'failed') return change
  if (isPending(stream)) return { ...change, stream: again(stream), formerStreams: [...formerStreams, stream.encodingId] }
  return {
    ...change,
    nextStream: stream.stored === media.stored ? undefined : again(stream),
    formerStreams: nextStream ? [...formerStreams, nextStream.encodingId] : formerStreams,
  }
}

/** Ends jobs whose results nobody wants any more. One that goes on costs money, and does no harm. */
async function cancelBefore({ transcoder, log }: Encodings, video: VideoRecord): Promise<void> {
  for (const { jobId, encodingId } of [video.preview, ...streamsOf(video)].filter(isPending)) {
    try {
      if (jobId !== undefined) await transcoder.cancel(jobId)
    } catch (error) {
      if (!(error instanceof TranscoderUnavailable)) throw error
      log.warn('an encoding of former bytes was not cancelled', { media: video.mediaId, encoding: encodingId, error })
    }
  }
}
