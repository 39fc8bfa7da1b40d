import type { Objects, StreamObjects } from '../../backends/objects/port.ts'
import type { Transcoder, TranscodingJob } from '../../backends/transcoder/port.ts'
import type { Log } from '../../log/log.ts'
import type { Writing } from '../library.ts'
import { objectKeys } from '../media/media.ts'
import { removeBelow } from '../remove-below.ts'
import { videoObjects } from '../videos/objects.ts'
import type { Encoding, VideoRecord } from '../videos/video.ts'
import { previewOutput, streamOutput } from './plan.ts'

/** What videos are encoded with. */
export interface Encodings extends Writing {
  media: Objects
  publicFiles: StreamObjects
  transcoder: Transcoder
  log: Log
}

/** What is encoded of a video. */
export type Encoded = 'preview' | 'stream'

/** Seconds after which a transcoder is asked again: one that could not be reached, that ends a job, or that knows less than it told. */
export const ASK_AGAIN_SECONDS = 60

/** The transcoder's job for an encoding, the same each time. Undefined where the size of the video is not known. */
export function jobOf(video: VideoRecord, encoded: Encoded, { encodingId }: Encoding): TranscodingJob | undefined {
  const { companyId, mediaId, source } = video
  const { mime, width, height, facts } = source
  if (!width || !height) return undefined
  const output =
    encoded === 'preview'
      ? previewOutput({ width, height }, facts, videoObjects.preview(video, encodingId))
      : streamOutput({ width, height }, facts, videoObjects.stream(encodingId))
  return { token: encodingId, companyId, mediaId, source: { key: objectKeys.original(video), mime, width, height, facts }, output }
}

/** Removes all that a job stored, or began to store. */
export async function removeOutputs(
  { media, publicFiles }: Pick<Encodings, 'media' | 'publicFiles'>,
  video: VideoRecord,
  encoded: Encoded,
  { encodingId }: Encoding,
): Promise<void> {
  if (encoded === 'stream') await removeBelow(publicFiles, videoObjects.stream(encodingId))
  else await removeBelow(media, videoObjects.previewFiles(video, encodingId))
}
