import type { MediaId } from '../../vocabulary/ids.ts'
import type { Reading } from '../library.ts'
import { type Delivering, pictureUrl } from '../media/delivery.ts'
import type { AvailableMedia } from '../media/media.ts'
import { videoObjects } from '../videos/objects.ts'
import { type StoredVideo, videoKey } from '../videos/video.ts'

/** URLs of the posters of those files that are videos and have one, signed as thumbnails are. Says nothing of rights. */
export async function posterUrls(
  library: Reading & Delivering,
  files: readonly Pick<AvailableMedia, 'mediaId' | 'kind'>[],
): Promise<ReadonlyMap<MediaId, string>> {
  const videos = files.filter(({ kind }) => kind === 'video')
  const records = await library.table.getMany<StoredVideo>(videos.map(({ mediaId }) => videoKey(mediaId)))
  const urls = records
    .filter(({ preview }) => preview.state === 'available' && preview.hasPoster)
    .map(async (video) => [video.mediaId, await pictureUrl(library, videoObjects.poster(video, video.preview.encodingId))] as const)
  return new Map(await Promise.all(urls))
}
