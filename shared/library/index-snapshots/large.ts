import type { Key } from '../../backends/table/port.ts'
import type { CompanyId } from '../../vocabulary/ids.ts'
import type { Reading } from '../library.ts'
import { feedKeys } from '../media/change-feed.ts'

/** Most files, recently removed ones included, for which a search builds the index itself: that takes about two seconds. */
export const MOST_BUILT = 5_000

/** Whether a company has more than `MOST_BUILT` files. Reads at most that many keys of its change feed. */
export async function isLarge({ table }: Reading, companyId: CompanyId): Promise<boolean> {
  let left = MOST_BUILT + 1
  for (const pk of feedKeys(companyId)) {
    let cursor: string | undefined
    do {
      const page = await table.query<Key>({ index: 'changeFeed', pk, limit: left, cursor })
      left -= page.items.length
      if (left <= 0) return true
      cursor = page.cursor
    } while (cursor !== undefined)
  }
  return false
}
