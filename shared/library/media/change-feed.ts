import { createHash } from 'node:crypto'
import type { Key } from '../../backends/table/port.ts'
import type { CompanyId, MediaId } from '../../vocabulary/ids.ts'
import type { Reading } from '../library.ts'
import { getMany } from './find.ts'
import { isMedia, mediaIdOf } from './keys.ts'
import { type AvailableMedia, isAvailable, type MediaRecord } from './media.ts'

/** Shards of a company's change feed: one partition of an index takes 1,000 writes a second. */
const SHARDS = 4
/** Lifetime of tombstones. A search index that lags further behind is rebuilt (search-feed.ts). */
export const TOMBSTONE_SECONDS = 90 * 86_400

/** The index partitions of a company's feed. */
export function feedKeys(companyId: CompanyId): string[] {
  return Array.from({ length: SHARDS }, (_, shard) => `COMPANY#${companyId}#${shard}`)
}

/** Attributes that give a change its position in the feed. @param now UNIX milliseconds */
export function feedPosition({ companyId, mediaId }: Pick<MediaRecord, 'companyId' | 'mediaId'>, now: number) {
  const shard = createHash('md5').update(String(mediaId)).digest().readUInt32LE() % SHARDS
  return { feedKey: `COMPANY#${companyId}#${shard}`, changedAt: `${feedTime(now)}#${mediaId}` }
}

/** Sorts like time. @param ms UNIX milliseconds */
export function feedTime(ms: number): string {
  return new Date(ms).toISOString()
}

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

/** Files read in one call. */
const PAGE = 100

/**
 * All imported files of a company, page by page. A file that changes meanwhile is returned again, so that none is missed. A file that was just
 * imported may be missing. For the operator.
 */
export async function* pagesOfFiles(library: Reading, companyId: CompanyId): AsyncGenerator<AvailableMedia[]> {
  for (const shard of feedKeys(companyId)) {
    let cursor: string | undefined
    do {
      const page = await pageOfFiles(library, shard, cursor)
      yield page.files
      cursor = page.cursor
    } while (cursor)
  }
}

/** A page of the imported files in a shard of the feed (`feedKeys`). @param cursor end of the page before */
export async function pageOfFiles(
  { table }: Reading,
  shard: string,
  cursor: string | undefined,
  limit = PAGE,
): Promise<{ files: AvailableMedia[]; cursor?: string | undefined }> {
  const page = await table.query<Key>({ index: 'changeFeed', pk: shard, limit, cursor })
  const files = await getMany({ table }, page.items.filter(isMedia).map(mediaIdOf))
  return { files: files.filter(isAvailable), cursor: page.cursor }
}
