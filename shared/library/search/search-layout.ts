import type { Layout, SearchEngine } from '../../backends/search/port.ts'
import type { AuthorizedReading } from '../access/access.ts'
import { searchCompanies, type WantedMedia } from './search-media.ts'

/** A page of files as it takes to lay it out. */
export interface PageLayout extends Layout {
  /** Exact number of hits. */
  total: number
  mediaIds: number[]
  /** Where an index is being built: there may be more. */
  partial?: true
}

/**
 * The layout of what a search finds, as the engine knows it: no file is read from the table.
 * @throws NotReady
 */
export async function searchLayout(library: AuthorizedReading & { search: SearchEngine }, wanted: WantedMedia): Promise<PageLayout> {
  const page: PageLayout = { total: 0, mediaIds: [], ratios: [], days: [] }
  const criteria = { ...wanted.criteria, withLayout: true }
  for await (const { result } of searchCompanies(library, { ...wanted, criteria })) {
    const { total, mediaIds, layout = { ratios: [], days: [] } } = result
    if (result.partial) page.partial = true
    page.total += total
    page.mediaIds = page.mediaIds.concat(mediaIds)
    page.ratios = page.ratios.concat(layout.ratios)
    page.days = page.days.concat(layout.days)
  }
  return page
}
