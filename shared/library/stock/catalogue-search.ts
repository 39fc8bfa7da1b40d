import type { SearchEngine } from '../../backends/search/port.ts'
import type { StockLibrary } from '../../backends/stock/port.ts'
import { CATALOGUE, toMediaId } from '../../vocabulary/ids.ts'
import { parseQuery } from '../../vocabulary/parse-query.ts'
import type { Reading } from '../library.ts'
import { getMany } from '../media/find.ts'
import { isAvailable } from '../media/media.ts'
import { searchCompany } from '../search/search-company.ts'
import { catalogueItem } from './catalogue-item.ts'

/** Searches the catalogue with the engine for own media. */
export function catalogueSearch(library: Reading & { search: SearchEngine }): Pick<StockLibrary, 'search'> {
  return {
    async search({ text, matching, criteria }) {
      const query = { ...criteria, terms: parseQuery(text, matching), scope: { except: [] } }
      const { mediaIds, ...result } = await searchCompany(library, CATALOGUE, query)
      const found = await getMany(library, mediaIds.map(toMediaId))
      return { ...result, items: found.filter(isAvailable).map(catalogueItem) }
    },
  }
}
