import { getMedia } from '../media/find.ts'
import { hasFile, isAvailable, type MediaRecord } from '../media/media.ts'
import { type ItemRecord, itemKey } from '../stock/items.ts'
import { addressOf } from './keys.ts'
import type { Library } from './library.ts'
import { type Problem, problem } from './problem.ts'

/** Whether an item has a file as far as its media record tells: one that is being imported will. */
const isWithBytes = (media: MediaRecord): boolean => !isAvailable(media) || hasFile(media)

/** Yields the problems of an item. */
export async function* checkStockItem({ table }: Library, item: ItemRecord): AsyncGenerator<Problem> {
  const media = await getMedia({ table }, item.mediaId)
  if (media?.stock !== item.id) yield problem('stock_item_without_file', { media_id: item.mediaId, object: addressOf(itemKey(item.id)) })
}

/** Yields the problems of the item that a file is of. */
export async function* checkItemOfFile({ table }: Library, media: MediaRecord): AsyncGenerator<Problem> {
  const { stock, mediaId: media_id, companyId: company_id } = media
  if (stock === undefined) return
  const key = itemKey(stock)
  const item = await table.get<ItemRecord>(key)
  const ids = { company_id, media_id, object: addressOf(key) }
  if (item?.mediaId !== media_id) yield problem('file_of_unknown_item', ids)
  else if ((item.file !== undefined) !== isWithBytes(media)) yield problem('stock_file_wrong', ids)
}
