import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { publishedUrls } from '../../shared/library/links/find-links.ts'
import { thumbnailUrl } from '../../shared/library/media/delivery.ts'
import { searchMedia as find } from '../../shared/library/search/search-media.ts'
import { trashedFiles } from '../../shared/library/trash/trashed.ts'
import { posterUrls } from '../../shared/library/videos/streams.ts'
import { parseQuery } from '../../shared/vocabulary/parse-query.ts'
import { criteriaOf, isSearch } from './criteria.ts'
import { FoundMedia, type Shown, thumbnailsOf, valuesOf } from './returned-values.ts'
import { checkShowing, SearchQuery } from './search-query.ts'
import { resultOf, searchResult } from './search-result.ts'
import { foldersOf } from './shown-folders.ts'

export const searchMedia = endpoint({
  route: 'GET /search',
  summary: "Search the caller's media",
  description:
    'Finds files in all folders that the caller may read, or in those named. Without `q`, `unique_media_id`, `folder_ids` and `all` it ' +
    'finds nothing. `direction` is allowed together with `order` only, `order=distance` needs `latitude` and `longitude`, and by ' +
    'relevance `media_offset` and `media_count` reach 10,000 together: beyond that it is a 400.',
  access: 'user',
  uses: { table: 'read', search: 'read', urls: 'sign' },
  query: SearchQuery,
  returns: searchResult(FoundMedia).meta({ id: 'SearchResult' }),
  askForLess: 'Ask for less: `media_count` and `return_values`.',
  refuses: ['not ready'],
  timeoutSeconds: 29,
  memoryMb: 1769,
  temporaryMb: 10_240,
  async handle({ query, ...library }) {
    const terms = parseQuery(query.q ?? '', query.query_type ?? 'default')
    checkShowing(query, terms)
    if (!isSearch(query, terms) && !query.folder_ids) return resultOf(0, [], query)
    const { folder_ids: folderIds, recursive } = query
    const criteria = criteriaOf(query, terms, { limit: query.media_count, now: library.clock.now() })
    const { total, found, partial } = await find(library, { terms, folderIds, recursive, criteria })
    const names = query.return_values ?? []
    const files = names.includes('cdn_urls') ? found.map(({ media, scope }) => ({ media, tree: scope.tree })) : []
    const cdnUrls = await publishedUrls(library, files)
    const asksForTrash = names.includes('trashed_at') || names.includes('trashed_from')
    const trashed = await trashedFiles(library, asksForTrash ? found : [])
    const thumbnails = await thumbnailsOf(names, found, ({ media }) => thumbnailUrl(library, media, query.thumbnail_size))
    const posters = await posterUrls(library, names.includes('poster_url') ? found.map(({ media }) => media) : [])
    const shown = found.map(
      (file, position): Shown => ({
        item: file.media,
        inLanguage: ({ en }) => en,
        folders: foldersOf(file),
        thumbnailUrl: thumbnails[position],
        posterUrl: posters.get(file.media.mediaId),
        cdnUrls: cdnUrls.get(file.media.mediaId) ?? [],
        trashed: trashed.get(file.media.mediaId),
      }),
    )
    return resultOf(total, shown.map(valuesOf(names)), query, partial)
  },
})
