import type { Layout, SearchEngine, SearchResult } from '../../backends/search/port.ts'
import { toMediaId } from '../../vocabulary/ids.ts'
import type { AuthorizedReading } from '../access/access.ts'
import type { Reading } from '../library.ts'
import { foldersOfMany } from '../media/find.ts'
import type { SearchScope } from './scope.ts'
import { searchCompanies, type WantedMedia } from './search-media.ts'

/** A page of files with the data for its layout. */
export interface PageLayout extends Layout {
  /** Exact number of hits. */
  total: number
  mediaIds: number[]
  /** Set while an index is being built: hits may be missing. */
  partial?: true
}

/**
 * The layout of a search's hits, from the search engine only. Reads files from the table only while the index is being built.
 * @throws NotReady
 */
export async function searchLayout(library: AuthorizedReading & { search: SearchEngine }, wanted: WantedMedia): Promise<PageLayout> {
  const page: PageLayout = { total: 0, mediaIds: [], ratios: [], days: [] }
  const criteria = { ...wanted.criteria, withLayout: true }
  for await (const { scope, result } of searchCompanies(library, { ...wanted, criteria })) {
    if (result.partial) page.partial = true
    const { mediaIds, layout = { ratios: [], days: [] } } = result.partial ? await asOfNow(library, result, scope) : result
    page.total += result.total
    page.mediaIds = page.mediaIds.concat(mediaIds)
    page.ratios = page.ratios.concat(layout.ratios)
    page.days = page.days.concat(layout.days)
  }
  return page
}

/** Leaves out files that were deleted, or moved out of the caller's folders, after the index was last updated. */
async function asOfNow(
  library: Reading,
  { mediaIds, layout = { ratios: [], days: [] } }: SearchResult,
  scope: SearchScope,
): Promise<Pick<SearchResult, 'mediaIds' | 'layout'>> {
  const folders = await foldersOfMany(library, mediaIds.map(toMediaId))
  const stay = mediaIds.map((id) => scope.contains(folders.get(toMediaId(id)) ?? []))
  const stays = (_: number, at: number) => stay[at]
  return { mediaIds: mediaIds.filter(stays), layout: { ratios: layout.ratios.filter(stays), days: daysLeft(layout.days, stay) } }
}

/** Counts of files by day, without the files left out. Files without a date come last. */
function daysLeft(days: Layout['days'], stay: readonly boolean[]): Layout['days'] {
  let first = 0
  return days.flatMap(([day, files]): Layout['days'] => {
    const left = stay.slice(first, first + files).filter(Boolean).length
    first += files
    return left > 0 ? [[day, left]] : []
  })
}
