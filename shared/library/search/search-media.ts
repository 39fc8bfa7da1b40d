import type { SearchEngine, SearchQuery, SearchResult } from '../../backends/search/port.ts'
import { type FolderId, type MediaId, toMediaId } from '../../vocabulary/ids.ts'
import type { ParsedTerm } from '../../vocabulary/parse-query.ts'
import type { Term } from '../../vocabulary/term.ts'
import type { AuthorizedReading } from '../access/access.ts'
import type { Reading } from '../library.ts'
import { getMany } from '../media/find.ts'
import { type AvailableMedia, isAvailable } from '../media/media.ts'
import { type SearchScope, searchScope } from './scope.ts'
import { searchCompany } from './search-company.ts'

/** A search as requested, before folders, tags and rights are resolved. */
export interface WantedMedia {
  /** Terms of `q` (vocabulary/parse-query.ts). */
  terms: readonly ParsedTerm[]
  folderIds?: readonly FolderId[]
  recursive: boolean
  criteria: Omit<SearchQuery, 'terms' | 'scope' | 'folderOrder'>
}

/** Hits in one of the caller's companies. */
interface CompanyResult {
  scope: SearchScope
  result: SearchResult
}

/**
 * Searches all companies of the caller. Files of their own company come first.
 * @throws NotReady
 */
export async function* searchCompanies(
  library: AuthorizedReading & { search: SearchEngine },
  wanted: WantedMedia,
): AsyncGenerator<CompanyResult> {
  let { limit, offset } = wanted.criteria
  for (const companyId of library.access.companyIds) {
    const scope = await searchScope(library, companyId, wanted)
    const query = { ...queryIn(scope, wanted), limit, offset }
    const result = await searchCompany(library, companyId, query)
    limit -= result.mediaIds.length
    offset = Math.max(0, offset - result.total)
    yield { scope, result }
  }
}

export interface Found {
  media: AvailableMedia
  /** The scope of the search. */
  scope: SearchScope
}

/**
 * Searches all companies of the caller. The engine finds ids; the files are read from the table.
 * @returns the exact number of hits, and one page of them; `partial` if an index is being built
 * @throws NotReady
 */
export async function searchMedia(
  library: AuthorizedReading & { search: SearchEngine },
  wanted: WantedMedia,
): Promise<{ total: number; found: Found[]; partial: boolean }> {
  let total = 0
  let partial = false
  const found: Found[] = []
  for await (const { scope, result } of searchCompanies(library, wanted)) {
    total += result.total
    partial ||= result.partial === true
    found.push(...(await hydrate(library, result.mediaIds.map(toMediaId), scope)).map((media) => ({ media, scope })))
  }
  return { total, found, partial }
}

/** Leaves out files that were deleted, or moved out of the caller's folders, after the index was last updated. */
async function hydrate(library: Reading, mediaIds: readonly MediaId[], scope: SearchScope): Promise<AvailableMedia[]> {
  const found = await getMany(library, mediaIds)
  return found.filter(isAvailable).filter(({ folders }) => scope.contains(folders))
}

/** A search as the engine receives it for one company. */
export function queryIn(scope: SearchScope, { criteria, terms }: Pick<WantedMedia, 'criteria' | 'terms'>): SearchQuery {
  const folderOrder = criteria.order === 'folder' ? { folderOrder: scope.foldersByName() } : {}
  return { ...criteria, ...folderOrder, scope: scope.scope, terms: withTags(terms, scope) }
}

/**
 * Resolves terms to folders whose tags match, so that tagging a folder of a million files re-indexes nothing. Tags of folders that the
 * caller may not see match nothing.
 */
function withTags(terms: readonly ParsedTerm[], scope: SearchScope): Term[] {
  return terms.map((term) => {
    const folders = scope.foldersTagged(term)
    return folders.length > 0 ? { ...term, folders } : term
  })
}
