import { randomBytes } from 'node:crypto'
import { retryOnConflict } from '../../shared/library/concurrency/retry.ts'
import type { Writing } from '../../shared/library/library.ts'
import { getMedia } from '../../shared/library/media/find.ts'
import { isAvailable } from '../../shared/library/media/media.ts'
import { changeVideo, type Encoding, ensureVideo, type VideoRecord } from '../../shared/library/videos/video.ts'
import { toEncodingId, toMediaId, toUserId } from '../../shared/vocabulary/ids.ts'

/**
 * Makes the record of a video say that its preview and its stream have ended, as after an encoding. Their objects are not made.
 * @param id of an imported video
 */
export async function pretendEncoded(library: Writing, id: number, state: 'available' | 'failed' = 'available'): Promise<VideoRecord> {
  const media = await getMedia(library, toMediaId(id))
  if (!media || !isAvailable(media)) throw new Error(`${id} is not imported`)
  const ended = (): Encoding => ({ encodingId: toEncodingId(randomBytes(16).toString('hex')), state, asked: library.clock.now() })
  return retryOnConflict(async () => {
    const video = await ensureVideo(library, media)
    const stream = { requester: toUserId(media.uploadedBy), requestId: 'request-1', ...video.stream, ...ended() }
    return changeVideo(library, video, { preview: ended(), stream })
  })
}
