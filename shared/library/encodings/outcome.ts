import type { Operations } from '../../backends/table/port.ts'
import type { Writing } from '../library.ts'
import { askForMail } from '../mail/job.ts'
import { type Encoding, isPending, type Stream, type VideoRecord, videoChange } from '../videos/video.ts'

/**
 * The operations that note what became of the encodings of a video, and tell who asked for a stream once that has ended.
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

/** The attempts at a stream that have come to nothing, where this is one more. */
function formerBy({ stream, formerStreams = [] }: VideoRecord, now: Stream): Pick<VideoRecord, 'formerStreams'> {
  const hasEnded = stream && isPending(stream) && (now.encodingId !== stream.encodingId || now.state === 'failed')
  return hasEnded ? { formerStreams: [...formerStreams, stream.encodingId] } : {}
}

/** What asks for the e-mail to who asked for a stream, once that has ended. */
function mailOf(
  library: Pick<Writing, 'clock' | 'by'>,
  { mediaId, companyId, stream: before }: VideoRecord,
  stream: Stream | undefined,
): Operations {
  const hasEnded = before && stream && isPending(before) && !isPending(stream)
  return hasEnded ? { mail: askForMail(library, companyId, { stream: mediaId, encodingId: stream.encodingId }) } : {}
}
