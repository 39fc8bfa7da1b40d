import type { Clock } from '../../backends/clock/port.ts'
import { type DocumentFeed, PositionForgotten, type Removal, type SearchDocument } from '../../backends/search/port.ts'
import type { Item, Key } from '../../backends/table/port.ts'
import type { Reading } from '../library.ts'
import { CATALOGUE, toCompanyId } from '../vocabulary/ids.ts'
import { feedKeys, feedTime, TOMBSTONE_SECONDS } from './change-feed.ts'
import { isMedia, isTombstone } from './keys.ts'
import { type AvailableMedia, isAvailable } from './media.ts'

/** Changes read from one shard in one call. */
const PAGE = 500

/** Where a reader is. */
interface Position {
  /** UNIX milliseconds: the reader knows all removals before. */
  since: number
  /** Per shard the position from which to read on (inclusive). */
  from: { [shard: string]: string }
}

/** A position that is younger than this is returned unchanged if there are no changes, so that readers write nothing. Milliseconds. */
const LONGEST_UNWRITTEN = 86_400_000
/** For so long a reader trusts tombstones to be there; shorter than their time to live, so that a reader that begins near its end gets through. */
const REMEMBERED = TOMBSTONE_SECONDS * 1000 - LONGEST_UNWRITTEN

/**
 * The table's change feed as search engines read it. Entries may become visible late, by the table's settle time at most. So a reader at the
 * end reads that much again, and engines apply changes by revision. Removals are told as long as their tombstones last. A reader that does
 * not get to the end for longer starts again.
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
        changes: (await table.getMany(keys)).map(toChange).filter((change) => change !== undefined),
        position: isNews ? JSON.stringify(next) : position,
        more,
      }
    },
  }
}

async function readShard({ table }: Reading, shard: string, from: string, settled: string) {
  const page = await table.query<Key & { changedAt: string }>({ index: 'changeFeed', pk: shard, sk: { from }, limit: PAGE })
  const last = page.items.at(-1)?.changedAt
  // At the end of a shard the next read starts at the time until which all entries are visible.
  const next = page.cursor && last ? last : settled > from ? settled : from
  return { shard, keys: page.items.map(({ pk, sk }) => ({ pk, sk })), next, more: page.cursor !== undefined }
}

function toChange(item: Item): SearchDocument | Removal | undefined {
  if (isTombstone(item)) return { mediaId: item.mediaId, revision: item.revision, removed: true }
  if (!isMedia(item)) return undefined
  // It was available, and its file is imported now.
  return isAvailable(item) ? searchDocument(item) : { mediaId: item.mediaId, revision: item.revision, removed: true }
}

/** What the search engine knows of a file. */
function searchDocument(media: AvailableMedia): SearchDocument {
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
    title: searched(media, media.title),
    description: searched(media, media.description),
    keywords: searched(media, media.keywords).flat(),
    suggestedKeywords,
    byline: media.byline ?? '',
    copyright: media.copyright ?? '',
    filename,
  }
}

/** What is searched of a text, or of keywords: of own files English alone, of items of the stock catalogue every language. */
function searched<Value extends string | string[]>({ companyId }: AvailableMedia, languages: { [language: string]: Value }): Value[] {
  if (companyId === CATALOGUE) return Object.values(languages)
  return languages.en === undefined ? [] : [languages.en]
}
