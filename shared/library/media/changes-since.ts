import type { Key } from '../../backends/table/port.ts'
import type { CompanyId, MediaId } from '../../vocabulary/ids.ts'
import type { Reading } from '../library.ts'
import { feedKeys, feedTime } from './change-feed.ts'
import { isMedia, mediaIdOf } from './keys.ts'
import { isAvailable, type MediaRecord } from './media.ts'

/**
 * The files of a company that were imported, changed or removed since a time, by id: as they are now, undefined where they are removed. A file that
 * changed shortly before may be among them.
 * @param since UNIX milliseconds
 * @param limit most files
 * @returns undefined when there are more
 */
export async function changedSince(
  { table }: Reading,
  companyId: CompanyId,
  since: number,
  limit: number,
): Promise<Map<MediaId, MediaRecord | undefined> | undefined> {
  const sk = { from: feedTime(since - table.settleTime) }
  const pages = await Promise.all(feedKeys(companyId).map((pk) => table.query<Key>({ index: 'changeFeed', pk, sk, limit })))
  const entries = pages.flatMap(({ items }) => items)
  if (entries.length > limit || pages.some(({ cursor }) => cursor !== undefined)) return undefined
  const keys = entries.map(({ pk, sk }) => ({ pk, sk }))
  const found = new Map<MediaId, MediaRecord | undefined>(keys.map((key) => [mediaIdOf(key), undefined]))
  for (const item of await table.getMany(keys)) if (isMedia(item) && isAvailable(item)) found.set(item.mediaId, item)
  return found
}
