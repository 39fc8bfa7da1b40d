import type { Clock } from '../../backends/clock/port.ts'
import { type DocumentFeed, PositionForgotten, type Removal, type SearchDocument } from '../../backends/search/port.ts'
import type { Item, Key, TableReader } from '../../backends/table/port.ts'
import { toCompanyId } from '../vocabulary/ids.ts'
import { feedKeys, feedTime, TOMBSTONE_SECONDS } from './change-feed.ts'
import { isMedia, isTombstone } from './keys.ts'
import { type AvailableMedia, isAvailable } from './media.ts'

/** Changes read from one shard in one call. */
const PAGE = 500

/** Where a reader is. */
interface Position {
  /** UNIX milliseconds: the reader knows of all files that were removed before. */
  since: number
  /** Per shard the position from which to read on (inclusive). */
  from: { [shard: string]: string }
}

/** A reader's position is older than it has to be by this at most, so that nothing is written while nothing changes: milliseconds. */
const LONGEST_UNWRITTEN = 86_400_000
/** A removal is known for less than its time here: a reader that begins just before it ends must still get through. Milliseconds. */
const REMEMBERED = TOMBSTONE_SECONDS * 1000 - LONGEST_UNWRITTEN

/**
 * The table's change feed as search engines read it. Entries may come to light late, by the table's settle time at most, so a reader
 * that has reached the end goes on from that long before the moment at which it looked; engines apply by revision. Removed files are told
 * as long as they are known: a reader that was away for longer, or did not get to the end for so long, begins anew.
 */
export function documentFeed(table: TableReader, clock: Clock): DocumentFeed {
  return {
    async changes(companyId, position) {
      const settled = clock.now() - table.settleTime
      const { since, from } = position === undefined ? { since: settled, from: {} } : (JSON.parse(position) as Position)
      if (clock.now() - since > REMEMBERED) throw new PositionForgotten(`the position of company ${companyId} is too old`)
      const shards = await Promise.all(
        feedKeys(toCompanyId(companyId)).map((shard) => readShard(table, shard, from[shard] ?? '', feedTime(settled))),
      )
      const keys = shards.flatMap((shard) => shard.keys)
      const more = shards.some((shard) => shard.more)
      const isNews = position === undefined || keys.length > 0 || settled - since > LONGEST_UNWRITTEN
      const next: Position = { since: more ? since : settled, from: Object.fromEntries(shards.map((shard) => [shard.shard, shard.next])) }
      return {
        changes: (await table.getMany(keys)).map(toChange).filter((change) => change !== undefined),
        position: isNews ? JSON.stringify(next) : position,
        more,
      }
    },
  }
}

async function readShard(table: TableReader, shard: string, from: string, settled: string) {
  const page = await table.query<Key & { changedAt: string }>({ index: 'changeFeed', pk: shard, sk: { from }, limit: PAGE })
  const last = page.items.at(-1)?.changedAt
  // At the end of a shard the next read starts where everything is known to have come to light.
  const next = page.cursor && last ? last : settled > from ? settled : from
  return { shard, keys: page.items.map(({ pk, sk }) => ({ pk, sk })), next, more: page.cursor !== undefined }
}

function toChange(item: Item): SearchDocument | Removal | undefined {
  if (isTombstone(item)) return { mediaId: item.mediaId, revision: item.revision, removed: true }
  return isMedia(item) && isAvailable(item) ? searchDocument(item) : undefined
}

/** What the search engine knows of a file. */
export function searchDocument(media: AvailableMedia): SearchDocument {
  const { mediaId, revision, folders, kind, created, modified, width, height, expires, filename, suggestedKeywords } = media
  return {
    mediaId,
    revision,
    folders,
    kind,
    created,
    cameraCreated: media.cameraCreated === null ? null : media.cameraCreated * 1000,
    modified,
    width,
    height,
    latitude: media.geolocation ? Number(media.geolocation.latitude) : null,
    longitude: media.geolocation ? Number(media.geolocation.longitude) : null,
    expires,
    title: media.title.en ?? '',
    description: media.description.en ?? '',
    keywords: media.keywords.en ?? [],
    suggestedKeywords,
    byline: media.byline ?? '',
    copyright: media.copyright ?? '',
    filename,
  }
}
