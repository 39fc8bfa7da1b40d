import type { Key } from '../../backends/table/port.ts'
import type { CompanyId } from '../../vocabulary/ids.ts'
import type { Reading } from '../library.ts'
import { feedKeys } from './change-feed.ts'
import { getMany } from './find.ts'
import { isMedia, mediaIdOf } from './keys.ts'
import { type AvailableMedia, isAvailable } from './media.ts'

/** Files read in one call. */
const PAGE = 100

/**
 * All imported files of a company, page by page. A file that changes meanwhile is returned again, so that none is missed. A file that was just
 * imported may be missing. For the operator.
 */
export async function* pagesOfFiles({ table }: Reading, companyId: CompanyId): AsyncGenerator<AvailableMedia[]> {
  for (const pk of feedKeys(companyId)) {
    let cursor: string | undefined
    do {
      const page = await table.query<Key>({ index: 'changeFeed', pk, limit: PAGE, cursor })
      const files = await getMany({ table }, page.items.filter(isMedia).map(mediaIdOf))
      yield files.filter(isAvailable)
      cursor = page.cursor
    } while (cursor)
  }
}
