import { JobRefused, TranscoderUnavailable } from '../../backends/transcoder/port.ts'
import { asRead } from '../conditional.ts'
import type { Again } from '../jobs/run.ts'
import { forgetStream } from '../publishing/invalidation.ts'
import { removeBelow } from '../remove-below.ts'
import { videoObjects } from '../videos/objects.ts'
import { type Encoding, isPending, type VideoRecord, videoKey } from '../videos/video.ts'
import { ASK_AGAIN_SECONDS, type Encoded, type Encodings, jobOf } from './encoding.ts'

/**
 * Removes all that was made of a video whose file is gone, and its record last. Jobs that still run are ended before, so that none stores
 * anything afterwards. May be repeated.
 * @returns when to go on, where a job has not ended
 * @throws ConditionFailed where the record has changed meanwhile
 */
export async function removeVideo(library: Encodings, video: VideoRecord): Promise<Again | undefined> {
  const { preview, stream } = video
  const jobs = [{ encoded: 'preview', encoding: preview } as const, ...(stream ? [{ encoded: 'stream', encoding: stream } as const] : [])]
  const ended = await Promise.all(jobs.map(({ encoded, encoding }) => hasEnded(library, video, encoded, encoding)))
  if (ended.includes(false)) return { inSeconds: ASK_AGAIN_SECONDS }
  await removeMade(library, video)
  const gone = { delete: videoKey(video.mediaId), if: { revision: asRead(video.revision) } }
  await library.table.transact({ gone, ...(stream?.state === 'available' && forgetStream(library, stream.encodingId)) })
  return undefined
}

/** Removes the objects that were made of a video. */
export async function removeMade({ media, publicFiles }: Pick<Encodings, 'media' | 'publicFiles'>, video: VideoRecord): Promise<void> {
  const { stream, formerStreams = [] } = video
  for (const id of [...formerStreams, ...(stream ? [stream.encodingId] : [])]) await removeBelow(publicFiles, videoObjects.stream(id))
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

/** A run that crashed may have started a job and not noted it. Another start of the same job tells its id; one that was not started ends at once. */
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
