import { ObjectMissing, type ObjectReader } from '../../backends/objects/port.ts'
import type { FileTags } from '../../tools/metadata/tags.ts'
import type { MediaId } from '../../vocabulary/ids.ts'
import type { AuthorizedReading } from '../access/access.ts'
import { availableMediaWith } from './find.ts'
import { hasFile } from './media.ts'
import { storedTags } from './objects.ts'

/**
 * What ExifTool found in the current file of a media record. Needs READ.
 * @throws NotFound, Forbidden, Conflict while it is being imported
 */
export async function readTags(
  library: AuthorizedReading & { media: Pick<ObjectReader, 'get'> },
  mediaId: MediaId,
): Promise<FileTags['printed']> {
  for (let missing: string | undefined; ; ) {
    const media = await availableMediaWith(library, 'READ', mediaId)
    if (!hasFile(media)) return {}
    try {
      return await storedTags(library.media, media)
    } catch (error) {
      // Another file took its place, and its bytes were deleted, between the two reads.
      const read = media.stored ?? ''
      if (!(error instanceof ObjectMissing) || missing === read) throw error
      missing = read
    }
  }
}
