import type { Objects, StreamObjects } from '../../backends/objects/port.ts'
import type { Transcoder, TranscodingJob } from '../../backends/transcoder/port.ts'
import type { Log } from '../../log/log.ts'
import type { Writing } from '../library.ts'
import { objectKeys } from '../media/objects.ts'
import { removeBelow } from '../remove-below.ts'
import { videoObjects } from './objects.ts'
import { previewOutput, streamOutput } from './outputs.ts'
import type { Encoding, VideoRecord } from './video.ts'

/** What videos are encoded with. */
export interface Encodings extends Writing {
  media: Objects
  publicFiles: StreamObjects
  transcoder: Transcoder
  log: Log
}

/** The encoded versions of a video. */
export type Encoded = 'preview' | 'stream'

/** Poll interval in seconds for a transcoder that is unreachable, cancels a job, or lags behind its own events. */
export const ASK_AGAIN_SECONDS = 60

/** The transcoder's job for an encoding. Deterministic. Undefined where the size of the video is unknown. */
export function jobOf(video: VideoRecord, encoded: Encoded, { encodingId, stored, stillSeconds }: Encoding): TranscodingJob | undefined {
  const { companyId, mediaId, source } = video
  const { mime, width, height, facts } = source
  if (!width || !height) return undefined
  const output =
    encoded === 'preview'
      ? previewOutput({ width, height }, facts, videoObjects.preview(video, encodingId))
      : streamOutput({ width, height }, facts, videoObjects.stream(encodingId), stillSeconds)
  const key = objectKeys.original({ companyId, mediaId, stored })
  return { token: encodingId, companyId, mediaId, source: { key, mime, width, height, facts }, output }
}

/** Removes all objects of a job. */
export async function removeOutputs(
  { media, publicFiles }: Pick<Encodings, 'media' | 'publicFiles'>,
  video: VideoRecord,
  encoded: Encoded,
  { encodingId }: Encoding,
): Promise<void> {
  if (encoded === 'stream') await removeBelow(publicFiles, videoObjects.stream(encodingId))
  else await removeBelow(media, videoObjects.previewFiles(video, encodingId))
}
