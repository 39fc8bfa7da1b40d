import type { SearchEngine } from '../../backends/search/port.ts'
import { type MediaId, toMediaId } from '../../vocabulary/ids.ts'
import type { AuthorizedReading } from '../access/access.ts'
import { NotReady } from '../errors.ts'
import { searchScope } from './scope.ts'
import { searchCompany } from './search-company.ts'
import { queryIn, type WantedMedia } from './search-media.ts'

/**
 * The ids of all files that a search finds in the caller's companies.
 * @param most most ids to return; `total` is exact in any case
 * @throws NotReady
 */
export async function foundIds(
  library: AuthorizedReading & { search: SearchEngine },
  wanted: WantedMedia,
  most: number,
): Promise<{ total: number; mediaIds: MediaId[] }> {
  let total = 0
  const mediaIds: MediaId[] = []
  for (const companyId of library.access.companyIds) {
    const scope = await searchScope(library, companyId, wanted)
    const page = { limit: Math.max(0, most - mediaIds.length), offset: 0 }
    const query = { ...queryIn(scope, wanted), ...page }
    const result = await searchCompany(library, companyId, query)
    // An action on all hits must not miss any.
    if (result.partial) throw new NotReady('search_index_building', 'The search index is being built. Try again in a few seconds.', 5)
    total += result.total
    for (const id of result.mediaIds) mediaIds.push(toMediaId(id))
  }
  return { total, mediaIds }
}
