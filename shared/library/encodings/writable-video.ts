import type { MediaId } from '../../vocabulary/ids.ts'
import type { AuthorizedReading } from '../access/access.ts'
import { Invalid } from '../errors.ts'
import { availableMediaWith } from '../media/find.ts'
import type { AvailableMedia } from '../media/media.ts'

/** A video that the caller may change. @throws NotFound, Forbidden, Conflict while it is being imported, Invalid for what is no video */
export async function writableVideo(library: AuthorizedReading, mediaId: MediaId): Promise<AvailableMedia> {
  const media = await availableMediaWith(library, 'WRITE', mediaId)
  if (media.kind !== 'video') throw new Invalid({ path: 'id', message: 'must be the id of a video' }, 'not_a_video')
  return media
}
