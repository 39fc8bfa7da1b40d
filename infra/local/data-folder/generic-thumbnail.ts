import type { Objects } from '../../../shared/backends/objects/port.ts'
import { GENERIC_THUMBNAIL_KEY } from '../../../shared/library/media/delivery.ts'
import { genericThumbnail } from '../../../shared/tools/generic-thumbnail.ts'

/** Stores the picture that thumbnail URLs of files without a picture lead to, as a deployment does. */
export async function provideGenericThumbnail(media: Pick<Objects, 'head' | 'put'>): Promise<void> {
  const { bytes, mime } = genericThumbnail()
  const known = await media.head(GENERIC_THUMBNAIL_KEY)
  if (known?.bytes !== bytes.length) await media.put(GENERIC_THUMBNAIL_KEY, bytes, { contentType: mime })
}
