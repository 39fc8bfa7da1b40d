import type { Table } from '../../backends/table/port.ts'
import { held } from '../concurrency/conditional.ts'
import { mediaKey } from './keys.ts'
import type { AvailableMedia } from './media.ts'

/** Stores the ThumbHash of a file, unless its bytes were replaced. The revision stays: the search index holds no hash. */
export async function storeThumbHash(
  { table }: { table: Table },
  { mediaId, uploadKey }: AvailableMedia,
  thumbhash: string,
): Promise<void> {
  await held(table.update(mediaKey(mediaId), { set: { thumbhash } }, { state: { equals: 'available' }, uploadKey: { equals: uploadKey } }))
}
