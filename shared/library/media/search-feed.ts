import type { Clock } from '../../backends/clock/port.ts'
import { type DocumentFeed, PositionForgotten } from '../../backends/search/port.ts'
import type { Key } from '../../backends/table/port.ts'
import { toCompanyId, toMediaId } from '../../vocabulary/ids.ts'
import type { Reading } from '../library.ts'
import { feedKeys, feedTime, TOMBSTONE_SECONDS } from './change-feed.ts'
import { isMedia, mediaKey } from './keys.ts'
import { searchChange } from './search-document.ts'

/** Changes read from one shard in one call. */
const PAGE = 500

/** A reader's position. */
interface Position {
  /** UNIX milliseconds. The reader knows all removals before it. */
  since: number
  /** The next position to read by shard (inclusive). */
  from: { [shard: string]: string }
}

/** Milliseconds. Without changes a position younger than this is returned unchanged, so that readers write nothing. */
const LONGEST_UNWRITTEN = 86_400_000
/** How long a reader relies on tombstones, in milliseconds. Shorter than their lifetime, so that a reader that starts late still finishes. */
const REMEMBERED = TOMBSTONE_SECONDS * 1000 - LONGEST_UNWRITTEN

/**
 * The table's change feed for search engines. Entries become visible late, by the table's settle time at most, so a reader at the end rereads that
 * period, and engines apply changes by revision. Removals are reported while their tombstones last. A reader that lags behind for longer starts
 * again.
 */
export function documentFeed({ table, clock }: Reading & { clock: Clock }): DocumentFeed {
  return {
    async changes(companyId, position) {
      const settled = clock.now() - table.settleTime
      const { since, from } = position === undefined ? { since: settled, from: {} } : (JSON.parse(position) as Position)
      if (clock.now() - since > REMEMBERED) throw new PositionForgotten(`the position of company ${companyId} is too old`)
      const shards = await Promise.all(
        feedKeys(toCompanyId(companyId)).map((shard) => readShard({ table }, shard, from[shard] ?? '', feedTime(settled))),
      )
      const keys = shards.flatMap((shard) => shard.keys)
      const more = shards.some((shard) => shard.more)
      const isNews = position === undefined || keys.length > 0 || settled - since > LONGEST_UNWRITTEN
      const next: Position = { since: more ? since : settled, from: Object.fromEntries(shards.map((shard) => [shard.shard, shard.next])) }
      return {
        changes: (await table.getMany(keys)).map(searchChange).filter((change) => change !== undefined),
        position: isNews ? JSON.stringify(next) : position,
        more,
      }
    },
    async documents(companyId, mediaIds) {
      const items = await table.getMany(mediaIds.map((mediaId) => mediaKey(toMediaId(mediaId))))
      return items.flatMap((item) => {
        const change = isMedia(item) && item.companyId === companyId ? searchChange(item) : undefined
        return change === undefined || 'removed' in change ? [] : [change]
      })
    },
  }
}

async function readShard({ table }: Reading, shard: string, from: string, settled: string) {
  const page = await table.query<Key & { changedAt: string }>({ index: 'changeFeed', pk: shard, sk: { from }, limit: PAGE })
  const last = page.items.at(-1)?.changedAt
  // At the end of a shard the next read starts where entries may still become visible.
  const next = page.cursor && last ? last : settled > from ? settled : from
  return { shard, keys: page.items.map(({ pk, sk }) => ({ pk, sk })), next, more: page.cursor !== undefined }
}
