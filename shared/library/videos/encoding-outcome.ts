import type { Operations } from '../../backends/table/port.ts'
import type { MediaId } from '../../vocabulary/ids.ts'
import { held } from '../concurrency/conditional.ts'
import type { Writing } from '../library.ts'
import { askForMail } from '../mail/job.ts'
import { askForEncoding } from '../media/encoding-job.ts'
import { type Encoding, getVideo, isPending, type Stream, type VideoRecord, videoChange, videoKey } from './video.ts'

/**
 * The operations that record the outcome of a video's encodings, and ask for the e-mail once a stream has ended.
 * @returns also the record after the change
 */
export function outcomeOf(
  library: Pick<Writing, 'clock' | 'by'>,
  video: VideoRecord,
  { preview, stream }: { preview: Encoding; stream: Stream | undefined },
) {
  const { operations, after } = videoChange(library, video, { preview, ...(stream && { stream, ...formerBy(video, stream) }) })
  return { operations: { ...operations, ...mailOf(library, video, stream) }, after }
}

/** Adds a failed attempt to the former streams. */
function formerBy({ stream, formerStreams = [] }: VideoRecord, now: Stream): Pick<VideoRecord, 'formerStreams'> {
  const hasEnded = stream && isPending(stream) && (now.encodingId !== stream.encodingId || now.state === 'failed')
  return hasEnded ? { formerStreams: [...formerStreams, stream.encodingId] } : {}
}

/** Asks for the e-mail to the requester of a stream that has ended. */
function mailOf(
  library: Pick<Writing, 'clock' | 'by'>,
  { mediaId, companyId, stream: before }: VideoRecord,
  stream: Stream | undefined,
): Operations {
  const hasEnded = before && stream && isPending(before) && !isPending(stream)
  return hasEnded ? { mail: askForMail(library, companyId, { stream: mediaId, encodingId: stream.encodingId }) } : {}
}

/** The writes that fail the pending encodings of a video whose job is cancelled. Later output of the transcoder is removed. */
export async function encodingCancelled(library: Writing, mediaId: MediaId): Promise<Operations> {
  const video = await getVideo(library, mediaId)
  if (!video) return {}
  const ended = <E extends Encoding>(encoding: E): E =>
    isPending(encoding) ? { ...encoding, state: 'failed', reason: 'the operator cancelled it' } : encoding
  const { preview, stream } = video
  return outcomeOf(library, video, { preview: ended(preview), stream: stream && ended(stream) }).operations
}

/**
 * Handles the transcoder's event that a job has ended: runs the video's job at once. Events may be doubled, late and out of order. Does nothing for
 * a deleted video.
 */
export async function transcodingEnded(
  library: Writing,
  { companyId, mediaId }: Pick<VideoRecord, 'companyId' | 'mediaId'>,
): Promise<void> {
  const { table, clock } = library
  const noted = { update: videoKey(mediaId), changes: { set: { toldAt: clock.now() } }, if: { companyId: { equals: companyId } } }
  await held(table.transact({ noted, encoding: askForEncoding(library, { companyId, mediaId }) }))
}
