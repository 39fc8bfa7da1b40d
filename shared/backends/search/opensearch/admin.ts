import type { Types } from '@opensearch-project/opensearch'
import type { IndexedFile, SearchIndexAdmin } from '../port.ts'
import { serviceAliases } from './alias-names.ts'
import { openSearchIndexer } from './indexer.ts'
import { type RebuildOptions, rebuild } from './rebuild.ts'
import { documentId } from './stored-document.ts'
import type { Clause } from './term-query.ts'
import { whileWaking } from './waking.ts'

/** Files in a page. */
const PAGE = 1_000

/** Milliseconds after which searches of OpenSearch Serverless find what was stored, with some more. */
const SETTLE = 15_000

/** What the operator does to the index in OpenSearch. */
export function openSearchAdmin(options: Pick<RebuildOptions, 'client' | 'patience'> & Partial<RebuildOptions>): SearchIndexAdmin {
  const { client, aliases = serviceAliases, patience, settle = SETTLE } = options

  async function filesOf(query: Clause, after?: IndexedFile): Promise<IndexedFile[]> {
    const { body } = await whileWaking(patience, (requestTimeout) =>
      client.search(
        {
          index: aliases.current,
          allow_partial_search_results: false,
          body: {
            query: { bool: { filter: [{ exists: { field: 'company' } }, query] } },
            size: PAGE,
            _source: ['company', 'mediaId', 'age'],
            sort: [{ company: { order: 'asc' } }, { mediaId: { order: 'asc' } }],
            ...(after && { search_after: [String(after.companyId), after.mediaId] }),
          },
        },
        { requestTimeout },
      ),
    )
    return body.hits.hits.map(indexedFile)
  }

  return {
    ...openSearchIndexer({ client, patience, aliases }),
    rebuild: (read, report) => rebuild({ client, aliases, patience, settle }, read, report),
    find: (files) => filesOf({ ids: { values: files.map(({ companyId, mediaId }) => documentId(companyId, mediaId)) } }),
    list: (after) => filesOf({ match_all: {} }, after),
  }
}

function indexedFile({ _source }: Types.Core_Search.Hit): IndexedFile {
  return { companyId: Number(_source.company), mediaId: Number(_source.mediaId), age: Number(_source.age) }
}
