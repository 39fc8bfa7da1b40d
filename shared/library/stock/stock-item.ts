import type { StockItem, StockLibrary } from '../../backends/stock/port.ts'
import type { MediaId } from '../../vocabulary/ids.ts'
import type { AuthorizedReading } from '../access/access.ts'
import { NotFound } from '../errors.ts'
import type { Reading } from '../library.ts'
import { getMedia } from '../media/find.ts'
import type { MediaRecord } from '../media/media.ts'
import { mapStockErrors } from '../stock-errors.ts'
import { isCatalogued } from './catalogue-item.ts'

/** A company's file. Undefined for ids that only the stock library has. Checks no rights. */
export async function ownMedia(library: Reading, mediaId: MediaId): Promise<MediaRecord | undefined> {
  const media = await getMedia(library, mediaId)
  return media && !isCatalogued(media) ? media : undefined
}

/** An item of the stock library. @throws NotFound also for callers without the stock library, NotReady while it is unavailable */
export async function stockItemWith(
  { access, stock }: AuthorizedReading & { stock: Pick<StockLibrary, 'item'> },
  mediaId: MediaId,
): Promise<StockItem> {
  const item = (await access.hasStock()) ? await mapStockErrors(stock.item(mediaId)) : undefined
  if (!item) throw new NotFound('media')
  return item
}
