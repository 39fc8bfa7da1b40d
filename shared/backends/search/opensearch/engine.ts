import type { API, Client, Types } from '@opensearch-project/opensearch'
import { layoutOf } from '../layout.ts'
import { nearerEnd } from '../page.ts'
import { IndexBehind, type SearchEngine, type SearchQuery, type SearchResult } from '../port.ts'
import { type Aliases, serviceAliases } from './alias-names.ts'
import { countRequest, dateField, searchRequest } from './search-request.ts'
import { isMissingIndex, whileWaking } from './waking.ts'

export interface OpenSearchEngineOptions {
  client: Client
  /** Milliseconds that a search waits for an engine that wakes, or is busy. */
  maxWaitMs: number
  aliases?: Aliases
}

/** OpenSearch gives so many hits at once, and none behind so many others. */
const MOST_HITS = 10_000

type Hit = Types.Core_Search.Hit

/**
 * The search engine beside the process: OpenSearch, whose one index holds the files of all companies. A function indexes what the table's stream
 * tells of (functions/search/index-media.ts), so a change is found some seconds after it.
 */
export function openSearchEngine({ client, maxWaitMs, aliases = serviceAliases }: OpenSearchEngineOptions): SearchEngine {
  const ask: Ask = async (body) => {
    try {
      return await whileWaking(maxWaitMs, async (requestTimeout) => {
        const answer = await client.search({ index: aliases.current, allow_partial_search_results: false, body }, { requestTimeout })
        return answer.body
      })
    } catch (error) {
      if (isMissingIndex(error)) throw new IndexBehind('there is no search index yet', { cause: error })
      throw error
    }
  }
  return {
    async search(companyId, query) {
      if (isEmpty(query)) return resultOf(query, 0, [])
      if (query.offset + query.limit > MOST_HITS) return deepPage(ask, companyId, query)
      const { hits } = await ask(searchRequest(companyId, query))
      return resultOf(query, countOf(hits.total), hits.hits)
    },
    async countFiles(companyId, folders) {
      if (folders.length === 0) return []
      const { aggregations } = await ask(countRequest(companyId, folders))
      const { buckets } = aggregations!.folders as unknown as { buckets: { key: string; doc_count: number }[] }
      const counts = new Map(buckets.map(({ key, doc_count }) => [key, doc_count]))
      return folders.map((folder) => counts.get(String(folder)) ?? 0)
    },
  }
}

type Ask = (body: API.Search_RequestBody) => Promise<API.Search_ResponseBody>

/** Walks over what comes before a page, from the nearer end, in steps of 10,000. */
async function deepPage(ask: Ask, companyId: number, query: SearchQuery): Promise<SearchResult> {
  const all = await ask(searchRequest(companyId, { ...query, limit: 0, offset: 0 }))
  const total = countOf(all.hits.total)
  const near = nearerEnd(total, query)
  if (!near) return resultOf(query, total, [])
  const walk = searchRequest(companyId, { ...query, offset: 0, withLayout: false }, near.isTurned)
  const read = searchRequest(companyId, { ...query, offset: 0 }, near.isTurned)
  const found: Hit[] = []
  let after: Hit['sort']
  for (let skipped = 0; found.length < near.limit; ) {
    const isBefore = skipped < near.offset
    const size = Math.min(MOST_HITS, isBefore ? near.offset - skipped : near.limit - found.length)
    const answer = await ask({ ...(isBefore ? walk : read), size, track_total_hits: false, ...(after && { search_after: after }) })
    const { hits } = answer.hits
    // Others remove files meanwhile.
    if (hits.length === 0) break
    after = hits.at(-1)?.sort
    if (isBefore) skipped += hits.length
    else found.push(...hits)
  }
  return resultOf(query, total, near.isTurned ? found.reverse() : found)
}

/** Whether no file can be found: that needs no request. */
function isEmpty({ scope, mediaIds }: SearchQuery): boolean {
  return ('only' in scope && scope.only.length === 0) || mediaIds?.length === 0
}

function countOf(total: Types.Core_Search.HitsMetadata['total']): number {
  return typeof total === 'number' ? total : (total?.value ?? 0)
}

function resultOf({ order, withLayout }: SearchQuery, total: number, hits: readonly Hit[]): SearchResult {
  const mediaIds = hits.map(({ sort }) => Number(sort?.at(-1)))
  if (!withLayout) return { total, mediaIds }
  const [date] = dateField(order)
  const numberIn = ({ fields = {} }: Hit, field: string): number | null => (fields[field] as number[] | undefined)?.[0] ?? null
  const shapes = hits.map((hit) => ({
    width: numberIn(hit, 'width'),
    height: numberIn(hit, 'height'),
    time: date ? numberIn(hit, date) : null,
  }))
  return { total, mediaIds, layout: layoutOf(shapes) }
}
