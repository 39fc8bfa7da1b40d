import * as z from 'zod'
import { endpoint } from '../../shared/http/endpoint.ts'
import { publishedUrls } from '../../shared/library/publishing/link-url.ts'
import { searchMedia as find, type WantedMedia } from '../../shared/library/search/search-media.ts'
import { day } from '../../shared/library/time.ts'
import { type ParsedTerm, parseQuery } from '../../shared/library/vocabulary/parse-query.ts'
import { FoundMedia, returnedValues } from './returned-values.ts'
import { checkTogether, type ParsedSearchQuery, SearchQuery } from './search-query.ts'

const count = z
  .number()
  .int()
  .meta({ minimum: 0, examples: [1] })

export const searchMedia = endpoint({
  route: 'GET /search',
  summary: "Search the caller's media",
  description:
    'Finds files in all folders that the caller may read, or in those named. Without `q`, `unique_media_id` and `folder_ids` it ' +
    'finds nothing. `direction` is allowed together with `order` only, `order=distance` needs `latitude` and `longitude`, and ' +
    '`media_offset` and `media_count` reach 10,000 together: beyond that it is a 400.',
  access: 'user',
  uses: { table: 'read', search: 'read', urls: 'sign' },
  query: SearchQuery,
  returns: z
    .object({
      response: z.object({ hits: count.describe('all that match'), media: z.array(FoundMedia).describe('the values that were asked for') }),
      media_count: count.describe('how many came'),
      media_offset: count,
    })
    .meta({ id: 'SearchResult' }),
  refuses: ['not ready'],
  timeoutSeconds: 29,
  memoryMb: 1769,
  temporaryMb: 4096,
  async handle({ query, ...library }) {
    const { urls, clock } = library
    const terms = parseQuery(query.q ?? '', query.query_type ?? 'default')
    checkTogether(query, terms)
    const { total, found } = isSearch(query, terms) ? await find(library, wanted(query, terms, clock.now())) : { total: 0, found: [] }
    const names = query.return_values ?? []
    const shown = { urls, clock, thumbnailSize: query.thumbnail_size }
    const files = names.includes('cdn_urls') ? found.map(({ media, scope }) => ({ media, tree: scope.tree })) : []
    const cdnUrls = await publishedUrls(library, files)
    const media = await Promise.all(
      found.map((file) => returnedValues(names, { ...file, ...shown, cdnUrls: cdnUrls.get(file.media.mediaId) ?? [] })),
    )
    return { response: { hits: total, media }, media_count: media.length, media_offset: query.media_offset }
  },
})

/** Without one of these a search finds nothing. A `q` without any term counts as not given. */
function isSearch(query: ParsedSearchQuery, terms: readonly ParsedTerm[]): boolean {
  return terms.length > 0 || Boolean(query.unique_media_id ?? query.media_id ?? query.folder_ids)
}

function wanted(query: ParsedSearchQuery, terms: readonly ParsedTerm[], now: number): WantedMedia {
  const order = query.order ?? (terms.length === 0 ? 'created' : 'relevance')
  const dateField = { created: 'created', camera_created: 'cameraCreated', last_modified: 'modified' } as const
  const { min_date: min, max_date: max, latitude, longitude } = query
  return {
    terms,
    folderIds: query.folder_ids,
    recursive: query.recursive,
    criteria: {
      mediaIds: query.unique_media_id ?? query.media_id,
      kinds: query.media_type,
      date: min === undefined && max === undefined ? undefined : { field: dateField[query.date_filter_field], min, max },
      orientation: query.orientation,
      minWidth: query.min_width,
      minHeight: query.min_height,
      minSides: query.resolution,
      minExpires: query.min_expiration_date,
      maxExpires: query.max_expiration_date,
      notExpiredOn: query.exclude_expired_media ? day(now) : undefined,
      order: order === 'camera_created' ? 'cameraCreated' : order,
      direction: query.direction ?? (order === 'distance' ? 'asc' : 'desc'),
      near: order !== 'distance' || latitude === undefined || longitude === undefined ? undefined : { latitude, longitude },
      limit: query.media_count,
      offset: query.media_offset,
    },
  }
}
