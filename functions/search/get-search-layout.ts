import type * as z from 'zod'
import { endpoint } from '../../shared/http/declaration/endpoint.ts'
import { wholeNumber } from '../../shared/http/declaration/query.ts'
import { jsonText } from '../../shared/http/declaration/results.ts'
import { searchLayout } from '../../shared/library/search/search-layout.ts'
import { parseQuery } from '../../shared/vocabulary/parse-query.ts'
import { criteriaOf, isSearch } from './criteria.ts'
import { LayoutColumns } from './layout-columns.ts'
import { checkTogether, MAX_RANKED, orderOf, SearchQuery } from './search-query.ts'

/** Files in an answer, at most. */
const MAX_COUNT = 100_000

const LayoutQuery = SearchQuery.omit({ return_values: true, thumbnail_size: true }).extend({
  media_count: wholeNumber(0, Number.MAX_SAFE_INTEGER)
    .transform((count) => Math.min(count, MAX_COUNT))
    .optional()
    .describe(`How many files; by default ${MAX_COUNT}, by relevance as many as may be. More than ${MAX_COUNT} count as ${MAX_COUNT}.`),
}) satisfies z.ZodType

export const getSearchLayout = endpoint({
  route: 'GET /search/layout',
  summary: "Lay out a search of the caller's media",
  description:
    'What a scroll bar over any number of files takes: their ids in order, the ratio of their sides and the days of their dates. It takes ' +
    'the filters and orders of a search. Without `q`, `unique_media_id`, `folder_ids` and `all` it finds nothing. `direction` is allowed ' +
    'together with `order` only, `order=distance` needs `latitude` and `longitude`, and by relevance `media_offset` and `media_count` ' +
    'reach 10,000 together: beyond that it is a 400.',
  access: 'user',
  uses: { table: 'read', search: 'read' },
  query: LayoutQuery,
  returns: LayoutColumns,
  askForLess: 'Ask for less: `media_count`.',
  refuses: ['not ready'],
  timeoutSeconds: 29,
  memoryMb: 1769,
  temporaryMb: 10_240,
  async handle({ query, ...library }) {
    const terms = parseQuery(query.q ?? '', query.query_type ?? 'default')
    const { folder_ids: folderIds, recursive, media_offset: offset } = query
    const most = orderOf(query, terms) === 'relevance' ? Math.max(0, MAX_RANKED - offset) : MAX_COUNT
    const limit = query.media_count ?? most
    checkTogether(query, terms, limit)
    if (!isSearch(query, terms) && !folderIds) return { hits: 0, ids: [], ratios: [], days: [] }
    const criteria = criteriaOf(query, terms, { limit, now: library.clock.now() })
    const { total, mediaIds, ratios, days, partial } = await searchLayout(library, { terms, folderIds, recursive, criteria })
    return jsonText(
      JSON.stringify({ hits: total, ids: mediaIds, ratios, days, ...(partial && { partial }) } satisfies z.input<typeof LayoutColumns>),
    )
  },
})
