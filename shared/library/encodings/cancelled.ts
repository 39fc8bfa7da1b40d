import type { Operations } from '../../backends/table/port.ts'
import type { MediaId } from '../../vocabulary/ids.ts'
import type { Writing } from '../library.ts'
import { type Encoding, getVideo, isPending } from '../videos/video.ts'
import { outcomeOf } from './outcome.ts'

/** The writes by which the encodings of a video have failed whose job is cancelled. What a transcoder still makes of them is removed. */
export async function encodingCancelled(library: Writing, mediaId: MediaId): Promise<Operations> {
  const video = await getVideo(library, mediaId)
  if (!video) return {}
  const ended = <E extends Encoding>(encoding: E): E =>
    isPending(encoding) ? { ...encoding, state: 'failed', reason: 'the operator cancelled it' } : encoding
  const { preview, stream } = video
  return outcomeOf(library, video, { preview: ended(preview), stream: stream && ended(stream) }).operations
}
