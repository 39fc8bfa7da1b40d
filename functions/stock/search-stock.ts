import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { inLanguage } from '../../shared/library/media/languages.ts'
import { mapStockErrors } from '../../shared/library/stock-errors.ts'
import { parseQuery } from '../../shared/vocabulary/parse-query.ts'
import { criteriaOf, isSearch } from '../search/criteria.ts'
import { type Shown, thumbnailsOf, valuesOf } from '../search/returned-values.ts'
import { checkShowing } from '../search/search-query.ts'
import { resultOf, searchResult } from '../search/search-result.ts'
import { noFolders } from '../search/shown-folders.ts'
import { FoundStockItem, StockSearchQuery } from './schema.ts'

export const searchStock = endpoint({
  route: 'GET /search/<vendor>/download',
  summary: 'Search the stock library',
  description:
    'Finds items of the stock library, never own media. 403 (`stock_not_enabled`) where no company of the caller may use it. `q` finds words ' +
    'of every language; `lang` chooses which one is shown. Items are in no folders. All else is as in a search of own media: without `q`, ' +
    '`unique_media_id` and `all` it finds nothing, `direction` is allowed together with `order` only, `order=distance` needs `latitude` and ' +
    '`longitude`, and by relevance `media_offset` and `media_count` reach 10,000 together.',
  access: 'user',
  uses: { table: 'read', stock: 'search' },
  query: StockSearchQuery,
  returns: searchResult(FoundStockItem).meta({ id: 'StockSearchResult' }),
  askForLess: 'Ask for less: `media_count` and `return_values`.',
  refuses: ['forbidden'],
  timeoutSeconds: 29,
  memoryMb: 1769,
  temporaryMb: 10_240,
  async handle({ query, access, stock, clock }) {
    await access.requireStock()
    const { q = '', query_type: matching = 'default', lang: language, return_values: names = [] } = query
    const terms = parseQuery(q, matching)
    const text = terms.length > 0 ? q : ''
    checkShowing(query, terms)
    if (!isSearch(query, terms)) return resultOf(0, [], query)
    const criteria = criteriaOf(query, terms, { limit: query.media_count, now: clock.now() })
    const { total, items, partial } = await mapStockErrors(stock.search({ text, matching, language, criteria }))
    const thumbnails = await thumbnailsOf(names, items, (item) => stock.thumbnail(item, query.thumbnail_size))
    const shown = items.map(
      (item, position): Shown => ({
        item,
        inLanguage: (languages) => inLanguage(languages, language),
        folders: noFolders,
        thumbnailUrl: thumbnails[position],
        posterUrl: undefined,
        cdnUrls: [],
        trashed: undefined,
      }),
    )
    return resultOf(total, shown.map(valuesOf(names)), query, partial)
  },
})
