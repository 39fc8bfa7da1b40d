import type { API, Types } from '@opensearch-project/opensearch'
import type { FileOfCompany, IndexedFile, SearchIndexAdmin } from '../port.ts'
import { serviceAliases } from './alias-names.ts'
import { openSearchIndexer } from './indexer.ts'
import { type RebuildOptions, rebuild } from './rebuild.ts'
import { documentId } from './stored-document.ts'
import type { Clause } from './term-query.ts'
import { isMissingIndex, whileWaking } from './waking.ts'

/** Files in a page. */
const PAGE = 1_000

/** Milliseconds until searches of OpenSearch Serverless find stored documents, with a margin. */
const SETTLE = 15_000

/** What the operator does to the index in OpenSearch. */
export function openSearchAdmin(options: Pick<RebuildOptions, 'client' | 'maxWaitMs'> & Partial<RebuildOptions>): SearchIndexAdmin {
  const { client, aliases = serviceAliases, maxWaitMs, settle = SETTLE } = options

  async function filesOf(query: Clause, after?: FileOfCompany): Promise<IndexedFile[]> {
    const body: API.Search_RequestBody = {
      query,
      size: PAGE,
      _source: ['company', 'removedFrom', 'mediaId', 'age'],
      sort: [{ company: { order: 'asc' } }, { mediaId: { order: 'asc' } }],
      ...(after && { search_after: [String(after.companyId), after.mediaId] }),
    }
    try {
      return await whileWaking(maxWaitMs, async (requestTimeout) => {
        const answer = await client.search({ index: aliases.current, allow_partial_search_results: false, body }, { requestTimeout })
        return answer.body.hits.hits.map(indexedFile)
      })
    } catch (error) {
      if (isMissingIndex(error)) throw new Error('There is no search index yet. The command "search rebuild" makes it.', { cause: error })
      throw error
    }
  }

  return {
    ...openSearchIndexer({ client, maxWaitMs, aliases }),
    rebuild: (read, report) => rebuild({ client, aliases, maxWaitMs, settle }, read, report),
    find: (files) => filesOf({ ids: { values: files.map(({ companyId, mediaId }) => documentId(companyId, mediaId)) } }),
    list: (after) => filesOf({ exists: { field: 'company' } }, after),
  }
}

function indexedFile({ _source: { company, removedFrom, mediaId, age } }: Types.Core_Search.Hit): IndexedFile {
  return { companyId: Number(company ?? removedFrom), mediaId: Number(mediaId), age: Number(age), removed: company === undefined }
}
