import type { StockLibrary } from '../../backends/stock/port.ts'
import type { MediaId } from '../../vocabulary/ids.ts'
import type { AuthorizedWriting } from '../access/access.ts'
import { findPreview, previewUrl } from '../downloads/download.ts'
import { type Delivering, thumbnailUrl } from '../media/delivery.ts'
import { available } from '../media/find.ts'
import { mapStockErrors } from '../stock-errors.ts'
import { ownMedia, stockItemWith } from './stock-item.ts'

export interface Previewing extends AuthorizedWriting, Delivering {
  stock: Pick<StockLibrary, 'item' | 'thumbnail'>
}

/**
 * URL of a video's preview, or of the 800px rendition of other files; valid for a day. Stock items only have the picture that searches
 * show, videos too: their preview is a logged download.
 * @throws NotFound, Forbidden, Conflict while the file is being imported, or its preview made; NotReady while the stock library can't be
 *   used
 */
export async function previewOf(library: Previewing, mediaId: MediaId): Promise<string> {
  const found = await ownMedia(library, mediaId)
  if (!found) return mapStockErrors(library.stock.thumbnail(await stockItemWith(library, mediaId), '800px'))
  await library.access.requireMedia('READ', found)
  const media = available(found)
  const preview = await findPreview(library, media)
  return preview === undefined ? thumbnailUrl(library, media, '800px') : previewUrl(library, media, preview)
}
