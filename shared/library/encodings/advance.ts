import type { Operations } from '../../backends/table/port.ts'
import { TranscoderUnavailable } from '../../backends/transcoder/port.ts'
import { NOT_DUE } from '../due.ts'
import { askForMail } from '../mail/job.ts'
import { getMedia } from '../media/find.ts'
import { retryOnConflict } from '../retry.ts'
import { changeVideo, type Encoding, getVideo, isPending, type Stream, type VideoRecord } from '../videos/video.ts'
import { ASK_AGAIN_SECONDS, type Encoded, type Encodings } from './encoding.ts'
import { followEncoding } from './finish.ts'
import { removeMade, removeVideo } from './remove.ts'
import { showsItsSubtitles, storePlaylist } from './show.ts'
import { startEncoding } from './start.ts'
import { tidyVideo } from './tidy.ts'

/** Why a run begins. */
interface Occasion {
  /** A run of the same message may have ended anywhere. */
  isAgain: boolean
  /** The transcoder has told that a job of the video has ended. Asked, it may learn that a moment later. */
  hasJobEnded: boolean
}

/**
 * Brings what is stored of a video to what its record says: starts jobs of the transcoder, takes their results, shows subtitles, removes what was
 * made of a file that is gone. Any number of runs, in any order and at the same time, each ended anywhere: the last one leaves what the table says.
 * @returns the seconds after which the job is to run again
 * @throws Conflict where others keep changing the record
 */
export async function advanceVideo(
  library: Encodings,
  { mediaId }: Pick<VideoRecord, 'mediaId'>,
  { isAgain, hasJobEnded }: Occasion,
): Promise<number | undefined> {
  let mustStore = isAgain
  return retryOnConflict(async () => {
    const video = await getVideo(library, mediaId)
    if (!video) return undefined
    if (!(await getMedia(library, mediaId))) return removeVideo(library, video)
    const isStale = mustStore
    // Where this attempt loses the race, the playlist that it stored may be older than what others stored.
    mustStore = true
    try {
      return await advance(library, video, { mustStore: isStale, hasJobEnded })
    } catch (error) {
      // Another run may have removed what there was of it, while this one stored more.
      if (!(await getMedia(library, mediaId))) await removeMade(library, video)
      throw error
    }
  })
}

/** @param how.mustStore whether the playlist is stored though the record says that it shows all. @throws ConditionFailed */
async function advance(
  library: Encodings,
  video: VideoRecord,
  { mustStore, hasJobEnded }: Pick<Occasion, 'hasJobEnded'> & { mustStore: boolean },
): Promise<number | undefined> {
  const preview = await advanceEncoding(library, video, 'preview', video.preview)
  const encoded = video.stream && (await advanceEncoding(library, video, 'stream', video.stream))
  const stream = encoded && (await shown(library, video, encoded.encoding, mustStore))
  const isUnchanged = preview.encoding === video.preview && stream === video.stream
  const changes = { preview: preview.encoding, ...(stream && { stream, ...formerBy(video, stream) }) }
  const now = isUnchanged ? video : await changeVideo(library, video, changes, mailOf(library, video, stream))
  if (preview.isUnreached || encoded?.isUnreached) return ASK_AGAIN_SECONDS
  if (isPending(now.preview) || (now.stream && isPending(now.stream))) return hasJobEnded ? ASK_AGAIN_SECONDS : undefined
  const more = await tidyVideo(library, now)
  if (more === undefined && now.dueAt !== undefined) await changeVideo(library, now, NOT_DUE)
  return more
}

/** @returns also whether the transcoder could not be reached: however long that takes, nothing fails */
async function advanceEncoding<E extends Encoding>(
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

/** The attempts at a stream that have come to nothing, where this is one more. */
function formerBy({ stream, formerStreams = [] }: VideoRecord, now: Stream): Pick<VideoRecord, 'formerStreams'> {
  const hasEnded = stream && isPending(stream) && (now.encodingId !== stream.encodingId || now.state === 'failed')
  return hasEnded ? { formerStreams: [...formerStreams, stream.encodingId] } : {}
}

/** What asks for the e-mail to who asked for a stream, once that has ended. */
function mailOf(library: Encodings, { mediaId, companyId, stream: before }: VideoRecord, stream: Stream | undefined): Operations {
  const hasEnded = before && stream && isPending(before) && !isPending(stream)
  return hasEnded ? { mail: askForMail(library, companyId, { stream: mediaId, encodingId: stream.encodingId }) } : {}
}

/** The stream, whose playlist shows the subtitles of the video, once it is available. */
async function shown(library: Encodings, video: VideoRecord, stream: Stream, mustStore: boolean): Promise<Stream> {
  if (stream.state !== 'available') return stream
  const isNew = stream !== video.stream
  if (!isNew && !mustStore && showsItsSubtitles(video, stream)) return stream
  return storePlaylist(library, video, stream)
}
