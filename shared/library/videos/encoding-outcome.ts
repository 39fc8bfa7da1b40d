import type { Operations } from '../../backends/table/port.ts'
import type { MediaId } from '../../vocabulary/ids.ts'
import { held } from '../concurrency/conditional.ts'
import type { Writing } from '../library.ts'
import { askForMail } from '../mail/job.ts'
import { askForEncoding } from '../media/encoding-job.ts'
import { type Encoding, getVideo, isPending, type Stream, type VideoChange, type VideoRecord, videoChange, videoKey } from './video.ts'

/** How far the encodings of a video are. */
type Outcome = Pick<VideoRecord, 'preview'> & { stream: Stream | undefined; nextStream: Stream | undefined }

/**
 * The operations that record the outcome of a video's encodings, and ask for the e-mail once a stream has ended. A next stream that is there takes the stream's
 * place.
 * @returns also the record after the change
 */
export function outcomeOf(library: Pick<Writing, 'clock' | 'by'>, video: VideoRecord, outcome: Outcome) {
  const { preview, stream, nextStream } = outcome
  const { operations, after } = videoChange(library, video, {
    preview,
    ...(stream && { stream }),
    ...(nextStream && { nextStream }),
    ...formerBy(video, [stream, nextStream]),
    ...(stream && nextStream?.state === 'available' && exchange(library, video, stream, nextStream)),
  })
  const mails = { ...mailOf(library, video, video.stream, stream), ...mailOf(library, video, video.nextStream, nextStream) }
  return { operations: { ...operations, ...mails }, after }
}

function exchange({ clock }: Pick<Writing, 'clock'>, { replacedStreams = [] }: VideoRecord, former: Stream, stream: Stream): VideoChange {
  return { stream, nextStream: undefined, replacedStreams: [...replacedStreams, { encodingId: former.encodingId, since: clock.now() }] }
}

/** Adds failed attempts to the former streams. */
function formerBy({ stream, nextStream, formerStreams = [] }: VideoRecord, now: readonly (Stream | undefined)[]): VideoChange {
  const failed = [stream, nextStream].flatMap((before, index) => {
    const after = now[index]
    const hasFailed = before && after && isPending(before) && (after.encodingId !== before.encodingId || after.state === 'failed')
    return hasFailed ? [before.encodingId] : []
  })
  return failed.length > 0 ? { formerStreams: [...formerStreams, ...failed] } : {}
}

/** Asks for the e-mail to the requester of a stream that has ended. */
function mailOf(
  library: Pick<Writing, 'clock' | 'by'>,
  { mediaId, companyId }: VideoRecord,
  before: Stream | undefined,
  stream: Stream | undefined,
): Operations {
  if (!before || !stream || !isPending(before) || isPending(stream)) return {}
  const { encodingId } = stream
  return { [`mail ${encodingId}`]: askForMail(library, companyId, { stream: mediaId, encodingId }) }
}

/** The writes that fail the pending encodings of a video whose job is cancelled. Later output of the transcoder is removed. */
export async function encodingCancelled(library: Writing, mediaId: MediaId): Promise<Operations> {
  const video = await getVideo(library, mediaId)
  if (!video) return {}
  const ended = <E extends Encoding>(encoding: E): E =>
    isPending(encoding) ? { ...encoding, state: 'failed', reason: 'the operator cancelled it' } : encoding
  const { preview, stream, nextStream } = video
  return outcomeOf(library, video, {
    preview: ended(preview),
    stream: stream && ended(stream),
    nextStream: nextStream && ended(nextStream),
  }).operations
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
