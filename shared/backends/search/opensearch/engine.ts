import type { Client, Types } from '@opensearch-project/opensearch'
import { IndexBehind, type SearchEngine, type SearchQuery, type SearchResult } from '../port.ts'
import { type Aliases, serviceAliases } from './alias-names.ts'
import { searchRequest } from './search-request.ts'
import { isMissingIndex, whileWaking } from './waking.ts'

export interface OpenSearchEngineOptions {
  client: Client
  /** Milliseconds that a search waits for an engine that wakes, or is busy. */
  patience: number
  aliases?: Aliases
}

/**
 * The search engine beside the process: OpenSearch, whose one index holds the files of all companies. A function indexes what the table's stream
 * tells of (functions/search/index-media.ts), so a change is found some seconds after it.
 */
export function openSearchEngine({ client, patience, aliases = serviceAliases }: OpenSearchEngineOptions): SearchEngine {
  return {
    async search(companyId, query) {
      if (isEmpty(query)) return { total: 0, mediaIds: [] }
      const body = searchRequest(companyId, query)
      try {
        return await whileWaking(patience, async (requestTimeout) => {
          const { body: answer } = await client.search(
            { index: aliases.current, allow_partial_search_results: false, body },
            { requestTimeout },
          )
          return resultOf(answer.hits)
        })
      } catch (error) {
        if (isMissingIndex(error)) throw new IndexBehind('there is no search index yet', { cause: error })
        throw error
      }
    },
  }
}

/** Whether no file can be found: that needs no request. */
function isEmpty({ scope, mediaIds }: SearchQuery): boolean {
  return ('only' in scope && scope.only.length === 0) || mediaIds?.length === 0
}

function resultOf({ total, hits }: Types.Core_Search.HitsMetadata): SearchResult {
  return { total: typeof total === 'number' ? total : (total?.value ?? 0), mediaIds: hits.map(({ sort }) => Number(sort?.at(-1))) }
}
