import { createHash } from 'node:crypto'
import type { Key } from '../../backends/table/port.ts'
import type { MediaRecord } from './media.ts'

/** Shards of a company's change feed: one partition of an index takes 1,000 writes a second. */
const SHARDS = 4
/** A removed file stays known for so long; a search index that slept longer is built anew (search-feed.ts). */
export const TOMBSTONE_SECONDS = 90 * 86_400

/** What remains of a removed file, so that search indexes learn of its removal. */
export type Tombstone = Key & { mediaId: number; companyId: number; revision: number; feedKey: string; changedAt: string; ttl: number }

export const tombstoneKey = (mediaId: number): Key => ({ pk: `MEDIA#${mediaId}`, sk: 'TOMBSTONE' })

/** Index partitions that together are a company's feed. */
export function feedKeys(companyId: number): string[] {
  return Array.from({ length: SHARDS }, (_, shard) => `COMPANY#${companyId}#${shard}`)
}

/** Attributes that place a change in the feed. @param now UNIX milliseconds */
export function feedPlace({ companyId, mediaId }: Pick<MediaRecord, 'companyId' | 'mediaId'>, now: number) {
  const shard = createHash('md5').update(String(mediaId)).digest().readUInt32LE() % SHARDS
  return { feedKey: `COMPANY#${companyId}#${shard}`, changedAt: `${feedTime(now)}#${mediaId}` }
}

/** Sorts like time. @param ms UNIX milliseconds */
export function feedTime(ms: number): string {
  return new Date(ms).toISOString()
}

export function tombstone(media: Pick<MediaRecord, 'companyId' | 'mediaId' | 'revision'>, now: number): Tombstone {
  const { companyId, mediaId, revision } = media
  const ttl = Math.floor(now / 1000) + TOMBSTONE_SECONDS
  return { ...tombstoneKey(mediaId), mediaId, companyId, revision: revision + 1, ttl, ...feedPlace(media, now) }
}
