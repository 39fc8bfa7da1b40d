import type { Objects } from '../../../shared/backends/objects/port.ts'
import { GENERIC_THUMBNAIL_KEY } from '../../../shared/library/media/delivery.ts'
import { genericThumbnail } from '../../../shared/tools/generic-thumbnail.ts'

/** Puts the picture of files that have none where thumbnail URLs expect it, as a deployment does. */
export async function provideGenericThumbnail(media: Pick<Objects, 'head' | 'put'>): Promise<void> {
  const { bytes, mime } = genericThumbnail()
  const known = await media.head(GENERIC_THUMBNAIL_KEY)
  if (known?.bytes !== bytes.length) await media.put(GENERIC_THUMBNAIL_KEY, bytes, { contentType: mime })
}
