import { TranscoderUnavailable } from '../../backends/transcoder/port.ts'
import type { Again } from '../jobs/run.ts'
import { getMedia } from '../media/find.ts'
import { retryOnConflict } from '../retry.ts'
import { type Encoding, getVideo, isPending, type VideoRecord } from '../videos/video.ts'
import { ASK_AGAIN_SECONDS, type Encoded, type Encodings } from './encoding.ts'
import { followEncoding } from './finish.ts'
import { outcomeOf } from './outcome.ts'
import { removeMade, removeVideo } from './remove.ts'
import { storePlaylist } from './show.ts'
import { startEncoding } from './start.ts'
import { tidyVideo } from './tidy.ts'

/**
 * Brings what is stored of a video to what its record says: starts jobs of the transcoder, takes their results, shows subtitles, removes what was
 * made of a file that is gone. Any number of runs, in any order and at the same time, each ended anywhere: the last one leaves what the table says.
 * @returns when the job is to run again; undefined where it is done
 * @throws Conflict where others keep changing the record
 */
export async function advanceVideo(library: Encodings, { mediaId }: Pick<VideoRecord, 'mediaId'>): Promise<Again | undefined> {
  return retryOnConflict(async () => {
    const video = await getVideo(library, mediaId)
    if (!video) return undefined
    if (!(await getMedia(library, mediaId))) return removeVideo(library, video)
    try {
      return await advance(library, video)
    } catch (error) {
      // Another run may have removed what there was of it, while this one stored more.
      if (!(await getMedia(library, mediaId))) await removeMade(library, video)
      throw error
    }
  })
}

/** @throws ConditionFailed */
async function advance(library: Encodings, video: VideoRecord): Promise<Again | undefined> {
  const preview = await advanceEncoding(library, video, 'preview', video.preview)
  const encoded = video.stream && (await advanceEncoding(library, video, 'stream', video.stream))
  const stream = encoded?.encoding.state === 'available' ? await storePlaylist(library, video, encoded.encoding) : encoded?.encoding
  const isUnchanged = preview.encoding === video.preview && stream === video.stream
  const { operations, after } = outcomeOf(library, video, { preview: preview.encoding, stream })
  if (!isUnchanged) await library.table.transact(operations)
  const now = isUnchanged ? video : after
  if (preview.isUnreached || encoded?.isUnreached) return { inSeconds: ASK_AGAIN_SECONDS }
  return nextLook(library, now) ?? tidyVideo(library, now)
}

/**
 * When to look again what became of encodings that are on their way. What the transcoder tells comes first; but it may be lost, or come before the
 * transcoder itself knows. So the pause grows with the time that has passed since something was asked for or told, to a quarter more.
 */
function nextLook({ clock }: Pick<Encodings, 'clock'>, { preview, stream, toldAt = 0 }: VideoRecord): Again | undefined {
  const pending = [preview, ...(stream ? [stream] : [])].filter(isPending)
  if (pending.length === 0) return undefined
  const since = Math.max(toldAt, ...pending.map(({ asked }) => asked))
  return { inSeconds: Math.max(ASK_AGAIN_SECONDS, Math.ceil((clock.now() - since) / 4_000)) }
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
