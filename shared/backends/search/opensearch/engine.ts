import type { API, Client, Types } from '@opensearch-project/opensearch'
import { layoutOf } from '../layout.ts'
import { nearerEnd, type Page } from '../page.ts'
import { IndexBehind, type SearchEngine, type SearchQuery, type SearchResult } from '../port.ts'
import { type Aliases, serviceAliases } from './alias-names.ts'
import { byName, inPlacements, placementsRequest, runsOf } from './by-folder.ts'
import { countRequest, dateField, searchRequest } from './search-request.ts'
import { dayText } from './stored-document.ts'
import { beginningRequest, nearIn, nearRequest } from './suggest-request.ts'
import { isMissingIndex, whileWaking } from './waking.ts'

interface OpenSearchEngineOptions {
  client: Client
  /** Milliseconds that a search waits for an engine that wakes, or is busy. */
  maxWaitMs: number
  aliases?: Aliases
}

/** OpenSearch's limits: hits of one request, and hits before them. */
const MOST_HITS = 10_000

type Hit = Types.Core_Search.Hit

/**
 * The search engine beside the process: OpenSearch, whose one index holds the files of all companies. A function indexes what the table's stream
 * tells of (functions/events/index-media.ts), so a change is found some seconds after it.
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
      if (query.order === 'folder') return pageByFolder(ask, companyId, query)
      if (query.offset + query.limit > MOST_HITS) {
        const all = await ask(searchRequest(companyId, { ...query, limit: 0, offset: 0 }))
        const total = countOf(all.hits.total)
        const requestOf: RequestOf = (page, isTurned) => searchRequest(companyId, { ...query, ...page }, isTurned)
        return resultOf(query, total, await deepPage(ask, requestOf, query, total))
      }
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
    async suggest(companyId, query) {
      if (isEmpty(query)) return []
      if (query.matching === 'near') return nearIn((await ask(nearRequest(companyId, query))).hits.hits, query)
      const { aggregations } = await ask(beginningRequest(companyId, query))
      const { buckets } = aggregations!.phrases as unknown as { buckets: { key: string; newest: { value: number } }[] }
      return buckets.map(({ key, newest }) => ({ phrase: key, mediaId: newest.value }))
    },
  }
}

type Ask = (body: API.Search_RequestBody) => Promise<API.Search_ResponseBody>

/** The request for a page. */
type RequestOf = (page: Pick<SearchQuery, 'limit' | 'offset' | 'withLayout'>, isTurned: boolean) => API.Search_RequestBody

/** Skips the hits before a page, from the nearer end, in steps of 10,000. @param total of the list */
async function deepPage(ask: Ask, requestOf: RequestOf, page: Page & Pick<SearchQuery, 'withLayout'>, total: number): Promise<Hit[]> {
  const near = nearerEnd(total, page)
  if (!near) return []
  const walk = requestOf({ limit: 0, offset: 0, withLayout: false }, near.isTurned)
  const read = requestOf({ limit: 0, offset: 0, withLayout: page.withLayout }, near.isTurned)
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
  return near.isTurned ? found.reverse() : found
}

/** A page in the order of folders' names: the placements of all files say which of them are on it. */
async function pageByFolder(ask: Ask, companyId: number, query: SearchQuery): Promise<SearchResult> {
  if (!query.folderOrder) throw new TypeError('order by folder needs the order of folders')
  const body = searchRequest(companyId, query)
  const counts: [placement: string, files: number][] = []
  for (let after: unknown, more = true; more; more = after !== undefined) {
    const { aggregations } = await ask(placementsRequest(body, after))
    const page = aggregations!.placements as unknown as PlacementPage
    for (const { key, doc_count } of page.buckets) counts.push([key.placement, doc_count])
    after = page.after_key
  }
  const total = counts.reduce((sum, [, files]) => sum + files, 0)
  const found: Hit[] = []
  for (const run of runsOf(counts, query, MOST_HITS)) {
    const requestOf: RequestOf = (page, isTurned) => inPlacements(searchRequest(companyId, { ...query, ...page }, isTurned), run.placements)
    const page = { ...query, ...(run.isOneName ? run : { offset: 0, limit: run.files }) }
    const hits = await deepPage(ask, requestOf, page, run.files)
    found.push(...(run.isOneName ? hits : byName(hits, run, query.direction).slice(run.offset, run.offset + run.limit)))
  }
  return resultOf(query, total, found)
}

interface PlacementPage {
  after_key?: unknown
  buckets: { key: { placement: string }; doc_count: number }[]
}

/** Whether no file can be found: that needs no request. */
function isEmpty({ scope, mediaIds }: Pick<SearchQuery, 'scope' | 'mediaIds'>): boolean {
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
    time: date ? timeOf(date, numberIn(hit, date)) : null,
  }))
  return { total, mediaIds, layout: layoutOf(shapes) }
}

/** A date of an order in UNIX milliseconds. */
function timeOf(field: string, value: number | null): number | null {
  return field === 'expires' && value !== null ? Date.parse(dayText(value)) : value
}
