import { createHash } from 'node:crypto'
import type { CompanyId } from '../../vocabulary/ids.ts'
import type { MediaRecord } from './media.ts'

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
