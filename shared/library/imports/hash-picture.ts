import { buffer } from 'node:stream/consumers'
import type { ObjectReader } from '../../backends/objects/port.ts'
import type { Table } from '../../backends/table/port.ts'
import type { Log } from '../../log/log.ts'
import { ToolFailed } from '../../tools/failure.ts'
import type { ThumbHasher } from '../../tools/imaging/thumbhash.ts'
import type { MediaId } from '../../vocabulary/ids.ts'
import type { Reading } from '../library.ts'
import { noteFacts } from '../media/facts.ts'
import { getMedia } from '../media/find.ts'
import { type AvailableMedia, isAvailable } from '../media/media.ts'
import { videoObjects } from '../videos/objects.ts'
import { getVideo } from '../videos/video.ts'

/** Dependencies of making a ThumbHash. */
export interface Hashing {
  table: Table
  media: Pick<ObjectReader, 'get'>
  thumbHasher: ThumbHasher
}

/** Whether a file has no ThumbHash and may have a picture. */
export const lacksThumbHash = ({ thumbhash, kind, renditions }: AvailableMedia): boolean =>
  thumbhash === undefined && (kind === 'video' || smallest(renditions) !== undefined)

/**
 * Makes a file's ThumbHash from its smallest rendition, or a video's poster. Does nothing where it has one, or no picture.
 * @throws ObjectMissing where the file was deleted meanwhile; ToolFailed where the picture can't be decoded
 */
export async function hashPicture(library: Hashing, media: AvailableMedia): Promise<void> {
  const key = media.thumbhash === undefined ? await pictureOf(library, media) : undefined
  if (key === undefined) return
  const { stream } = await library.media.get(key)
  await noteFacts(library, media, { thumbhash: await library.thumbHasher(await buffer(stream)) })
}

/**
 * The same for a video's new poster. Ignores posters that can't be decoded.
 * @throws ObjectMissing where the video is being deleted
 */
export async function hashPoster(library: Hashing & { log: Log }, mediaId: MediaId): Promise<void> {
  const media = await getMedia(library, mediaId)
  if (!media || !isAvailable(media)) return
  try {
    await hashPicture(library, media)
  } catch (error) {
    if (!(error instanceof ToolFailed)) throw error
    library.log.warn('a poster could not be hashed', { media: mediaId, error })
  }
}

/** The object in the `media` bucket. */
async function pictureOf(library: Reading, { kind, mediaId, renditions }: AvailableMedia): Promise<string | undefined> {
  if (kind !== 'video') return smallest(renditions)?.key
  const video = await getVideo(library, mediaId)
  return video?.preview.state === 'available' && video.preview.hasPoster ? videoObjects.poster(video, video.preview.encodingId) : undefined
}

const smallest = (renditions: AvailableMedia['renditions']) => renditions['110px'] ?? renditions['200px']
