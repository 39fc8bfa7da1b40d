import type { Clock } from '../../backends/clock/port.ts'
import { type CompanyChange, type DocumentFeed, PositionForgotten, type Removal, type SearchDocument } from '../../backends/search/port.ts'
import type { Item, Key, TableScanner } from '../../backends/table/port.ts'
import { fieldEntries, fieldValue } from '../../vocabulary/editable-fields.ts'
import type { FieldKind, FieldValues } from '../../vocabulary/field-values.ts'
import { CATALOGUE, type MediaId, toCompanyId, toMediaId } from '../../vocabulary/ids.ts'
import type { Reading } from '../library.ts'
import { feedKeys, feedTime, TOMBSTONE_SECONDS } from './change-feed.ts'
import { isMedia, isTombstone, mediaKey, tombstoneKey } from './keys.ts'
import { type AvailableMedia, isAvailable } from './media.ts'

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

/** Current search documents or removals of these files. Files whose tombstone has expired are left out. */
export async function searchChanges({ table }: Reading, mediaIds: readonly MediaId[]): Promise<CompanyChange[]> {
  const items = await table.getMany([...new Set(mediaIds)].flatMap((mediaId) => [mediaKey(mediaId), tombstoneKey(mediaId)]))
  return items.flatMap(companyChange)
}

/** A page of all files and tombstones. @param cursor end of the page before */
export async function scanSearchChanges(
  { scanner }: { scanner: TableScanner },
  cursor: string | undefined,
): Promise<{ changes: CompanyChange[]; cursor?: string | undefined }> {
  const page = await scanner.scan(cursor === undefined ? {} : { cursor })
  const files = page.items.filter((item) => isTombstone(item) || (isMedia(item) && isAvailable(item)))
  return { changes: files.flatMap(companyChange), cursor: page.cursor }
}

function companyChange(item: Item): CompanyChange[] {
  const change = searchChange(item)
  return change && (isMedia(item) || isTombstone(item)) ? [{ companyId: item.companyId, change }] : []
}

/** The search document of a file, or the removal by a tombstone; undefined for other records. */
export function searchChange(item: Item): SearchDocument | Removal | undefined {
  if (isTombstone(item)) return { mediaId: item.mediaId, revision: item.revision, removed: true }
  if (!isMedia(item)) return undefined
  // An item that was available, and gets a file now, is removed meanwhile.
  return isAvailable(item) ? searchDocument(item) : { mediaId: item.mediaId, revision: item.revision, removed: true }
}

/** What the search engine knows of a file. */
function searchDocument(media: AvailableMedia): SearchDocument {
  const { mediaId, revision, folders, kind, created, modified, width, height, expires, filename, bytes, suggestedKeywords } = media
  const texts = (part: keyof SearchDocument) =>
    fieldEntries.flatMap((entry) => (entry.searched === part ? searched(media, fieldValue(media, entry.field)) : []))
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
    title: texts('title'),
    description: texts('description'),
    keywords: texts('keywords'),
    suggestedKeywords,
    byline: texts('byline').join(' '),
    copyright: texts('copyright').join(' '),
    filename,
    bytes,
  }
}

/** Searchable texts of a field: English alone for own files, every language for items of the stock catalogue. */
function searched({ companyId }: AvailableMedia, value: FieldValues[FieldKind]): string[] {
  if (typeof value === 'string') return [value]
  const languages = Object.entries(value ?? {}) as [string, string | string[]][]
  return languages.flatMap(([language, texts]) => (language === 'en' || companyId === CATALOGUE ? texts : []))
}
