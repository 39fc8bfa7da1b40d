import {
  IndexBehind,
  IndexTooLarge,
  SearchBusy,
  type SearchEngine,
  type SearchQuery,
  type SearchResult,
  type Suggestion,
  type SuggestQuery,
} from '../../backends/search/port.ts'
import type { CompanyId } from '../../vocabulary/ids.ts'
import { NotReady } from '../errors.ts'

/** Searches a company's files. @throws NotReady */
export function searchCompany({ search }: { search: SearchEngine }, companyId: CompanyId, query: SearchQuery): Promise<SearchResult> {
  return search.search(companyId, query).catch(notReady)
}

/** Suggests words from a company's files. @throws NotReady */
export function suggestInCompany({ search }: { search: SearchEngine }, companyId: CompanyId, query: SuggestQuery): Promise<Suggestion[]> {
  return search.suggest(companyId, query).catch(notReady)
}

function notReady(error: unknown): never {
  if (error instanceof IndexBehind) {
    throw new NotReady('search_index_building', 'The search index is being built. Try again in a few seconds.', error.retryAfter)
  }
  if (error instanceof SearchBusy) {
    throw new NotReady('search_busy', 'The search takes too long, or too many run. Try again in a few seconds, or narrow it down.', 5)
  }
  if (error instanceof IndexTooLarge) {
    throw new NotReady('search_index_too_large', 'There are more files to search than this search engine has room for. Tell the operator.')
  }
  throw error
}
