import type { Key } from '../../backends/table/port.ts'
import type { Reading } from '../library.ts'
import type { CompanyId } from '../vocabulary/ids.ts'
import { feedKeys } from './change-feed.ts'
import { isMedia } from './keys.ts'
import { type AvailableMedia, isAvailable } from './media.ts'

/** Files read in one call. */
const PAGE = 100

/**
 * All imported files of a company, page by page. A file that changes meanwhile comes once more, so that none is missed. One that was imported a
 * moment ago may not be among them yet. For the operator.
 */
export async function* pagesOfFiles({ table }: Reading, companyId: CompanyId): AsyncGenerator<AvailableMedia[]> {
  for (const pk of feedKeys(companyId)) {
    let cursor: string | undefined
    do {
      const page = await table.query<Key>({ index: 'changeFeed', pk, limit: PAGE, cursor })
      const items = await table.getMany(page.items.map((item) => ({ pk: item.pk, sk: item.sk })))
      yield items.filter(isMedia).filter((media) => isAvailable(media))
      cursor = page.cursor
    } while (cursor)
  }
}
