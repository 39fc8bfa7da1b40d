import type { Objects } from '../../backends/objects/port.ts'
import type { Key } from '../../backends/table/port.ts'
import { inParallel } from '../../parallel.ts'
import type { MediaId } from '../../vocabulary/ids.ts'
import type { Writing } from '../library.ts'
import { everyItem } from '../pages.ts'
import { reservationKey } from '../usage/reservations.ts'
import { replacements } from './files.ts'
import { FORMER_FILES, mediaKey, REPLACEMENTS, STATES } from './keys.ts'

/** Items that are removed in parallel. */
const PARALLELISM = 16

/**
 * Removes what a deleted file leaves beside its record: its former files, its history, and replacements that wait, with their uploads and reservations. An upload goes
 * before the item that names it, so a run can be repeated.
 */
export async function removeRemains(
  library: Pick<Writing, 'table'> & { uploads: Pick<Objects, 'delete'> },
  mediaId: MediaId,
): Promise<void> {
  const { table, uploads } = library
  const waiting = await replacements(library, mediaId)
  await uploads.delete(waiting.map(({ uploadKey }) => uploadKey))
  for (const { companyId, uploadKey } of waiting) await table.delete(reservationKey(companyId, uploadKey))
  for (const beginsWith of [REPLACEMENTS, FORMER_FILES, STATES]) {
    const items = everyItem<Key>(table, { pk: mediaKey(mediaId).pk, sk: { beginsWith }, consistent: true })
    const keys = await Array.fromAsync(items, ({ pk, sk }) => ({ pk, sk }))
    await inParallel(keys, PARALLELISM, (key) => table.delete(key))
  }
}
