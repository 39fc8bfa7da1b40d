import { buffer } from 'node:stream/consumers'
import type { Objects } from '../../backends/objects/port.ts'
import type { Table } from '../../backends/table/port.ts'
import type { Log } from '../../log/log.ts'
import { ToolFailed } from '../../tools/failure.ts'
import type { ThumbHasher } from '../../tools/imaging/thumbhash.ts'
import type { MediaId } from '../../vocabulary/ids.ts'
import { getMedia } from '../media/find.ts'
import { noteThumbhash } from '../media/importing.ts'
import { isAvailable } from '../media/media.ts'
import { videoObjects } from '../videos/objects.ts'
import { getVideo, previewOf } from '../videos/video.ts'
import { labelFile } from './label-pictures.ts'

interface Hashing {
  table: Table
  media: Objects
  thumbHasher: ThumbHasher
  log: Log
}

/**
 * Labels a video's poster, and stores its ThumbHash. Ignores posters that can't be decoded. Hashes nothing if the file already has a hash, has other
 * bytes now, or is gone.
 * @throws ObjectMissing if the video is being deleted
 */
export async function hashPoster({ table, media: objects, thumbHasher, log }: Hashing, mediaId: MediaId): Promise<void> {
  const media = await getMedia({ table }, mediaId)
  if (!media || !isAvailable(media)) return
  const preview = previewOf(await getVideo({ table }, mediaId), media)
  if (!preview?.hasPoster) return
  // The transcoder's has none.
  if (media.copyright) await labelFile({ table, media: objects }, media.companyId, mediaId)
  if (media.thumbhash !== undefined) return
  const { stream } = await objects.get(videoObjects.poster(media, preview.encodingId))
  try {
    const thumbhash = await thumbHasher(await buffer(stream))
    await noteThumbhash({ table }, media, thumbhash)
  } catch (error) {
    if (!(error instanceof ToolFailed)) throw error
    log.warn('a poster could not be hashed', { media: mediaId, error })
  }
}
