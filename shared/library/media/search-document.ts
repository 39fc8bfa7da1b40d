import type { CompanyChange, Removal, SearchDocument } from '../../backends/search/port.ts'
import type { Item } from '../../backends/table/port.ts'
import type { Reading } from '../library.ts'
import { CATALOGUE, toMediaId } from '../vocabulary/ids.ts'
import { isMedia, isTombstone, mediaKey, tombstoneKey } from './keys.ts'
import { type AvailableMedia, isAvailable, type MediaRecord } from './media.ts'

/** Reads files, as they are now, for an engine that is told of changes. Of a file that was removed so long ago that nothing is left of it there is nothing to tell. */
export async function searchChanges(
  { table }: Reading,
  files: readonly Pick<MediaRecord, 'companyId' | 'mediaId'>[],
): Promise<CompanyChange[]> {
  const companies = new Map(files.map(({ mediaId, companyId }) => [mediaId, companyId]))
  const items = await table.getMany([...companies.keys()].flatMap((mediaId) => [mediaKey(mediaId), tombstoneKey(mediaId)]))
  return items.flatMap((item) => {
    const change = searchChange(item)
    const companyId = change && companies.get(toMediaId(change.mediaId))
    return change && companyId !== undefined ? [{ companyId, change }] : []
  })
}

/** What a record of a file, or its tombstone, says to search engines; nothing for other records. */
export function searchChange(item: Item): SearchDocument | Removal | undefined {
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
