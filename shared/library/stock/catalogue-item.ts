import type { StockItem, StockLibrary } from '../../backends/stock/port.ts'
import { CATALOGUE, type MediaId, toMediaId } from '../../vocabulary/ids.ts'
import { renditionSizes } from '../../vocabulary/rendition-size.ts'
import type { Reading } from '../library.ts'
import { type Delivering, pictureUrl } from '../media/delivery.ts'
import { getMedia } from '../media/find.ts'
import { type AvailableMedia, isAvailable, type MediaRecord } from '../media/media.ts'

/** Whether a file is an item of the stock catalogue. */
export function isCatalogued({ companyId }: Pick<MediaRecord, 'companyId'>): boolean {
  return companyId === CATALOGUE
}

/** An imported file of the catalogue; undefined for other files. */
export async function findCatalogued(library: Reading, mediaId: MediaId): Promise<AvailableMedia | undefined> {
  const media = await getMedia(library, mediaId)
  return media && isCatalogued(media) && isAvailable(media) ? media : undefined
}

/** Finds items of the catalogue by id. */
export function catalogueItems(library: Reading): Pick<StockLibrary, 'item'> {
  return {
    async item(mediaId) {
      const media = await findCatalogued(library, toMediaId(mediaId))
      return media && catalogueItem(media)
    },
  }
}

/** Signs URLs of the pictures of the catalogue's items. */
export function catalogueThumbnails(library: Delivering): Pick<StockLibrary, 'thumbnail'> {
  return { thumbnail: ({ thumbnails }, size) => pictureUrl(library, thumbnails[size]) }
}

/** A file of the catalogue as an item. Object keys name its thumbnails. */
export function catalogueItem(media: AvailableMedia): StockItem {
  const thumbnails: StockItem['thumbnails'] = {}
  for (const size of renditionSizes) {
    const key = media.renditions[size]?.key
    if (key !== undefined) thumbnails[size] = key
  }
  return { ...media, thumbnails }
}
