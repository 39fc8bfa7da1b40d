import type { CompanyChange, Removal, SearchDocument } from '../../backends/search/port.ts'
import type { Item, TableScanner } from '../../backends/table/port.ts'
import { CATALOGUE, type MediaId } from '../../vocabulary/ids.ts'
import type { Reading } from '../library.ts'
import { isMedia, isTombstone, mediaKey, tombstoneKey } from './keys.ts'
import { type AvailableMedia, isAvailable } from './media.ts'

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
    bytes,
  }
}

/** Searchable values of a text or keywords: English alone for own files, every language for items of the stock catalogue. */
function searched<Value extends string | string[]>({ companyId }: AvailableMedia, languages: { [language: string]: Value }): Value[] {
  if (companyId === CATALOGUE) return Object.values(languages)
  return languages.en === undefined ? [] : [languages.en]
}
