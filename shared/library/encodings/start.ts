import { JobRefused } from '../../backends/transcoder/port.ts'
import type { Encoding, VideoRecord } from '../videos/video.ts'
import { type Encoded, type Encodings, jobOf } from './encoding.ts'
import { failed } from './finish.ts'

/**
 * Starts the job of an encoding that is queued. May be repeated: the transcoder knows the job by the encoding's id.
 * @throws TranscoderUnavailable
 */
export async function startEncoding<E extends Encoding>(library: Encodings, video: VideoRecord, encoded: Encoded, encoding: E): Promise<E> {
  const job = jobOf(video, encoded, encoding)
  if (!job) return failed(library, video, encoded, encoding, 'nobody knows how large its picture is')
  try {
    return { ...encoding, state: 'encoding', jobId: await library.transcoder.start(job) }
  } catch (error) {
    if (!(error instanceof JobRefused)) throw error
    return failed(library, video, encoded, encoding, `the transcoder refused it: ${error.message}`)
  }
}
