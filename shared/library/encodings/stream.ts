import type { MediaId } from '../../vocabulary/ids.ts'
import type { AuthorizedReading } from '../access/access.ts'
import { NotFound } from '../errors.ts'
import { mediaWith } from '../media/find.ts'
import { getVideo, type Stream } from '../videos/video.ts'

/** The stream of a file, once it can be played. Needs READ on the file. @throws NotFound with a code of its own where it could not be made, Forbidden */
export async function availableStream(library: AuthorizedReading, mediaId: MediaId): Promise<Stream> {
  const media = await mediaWith(library, 'READ', mediaId)
  const stream = (await getVideo(library, media.mediaId))?.stream
  if (stream?.state === 'failed') throw new NotFound('stream', 'The stream could not be made. It can be asked for again.', 'stream_failed')
  if (stream?.state !== 'available') throw new NotFound('stream')
  return stream
}
