import type { Operations } from '../../backends/table/port.ts'
import type { Writing } from '../library.ts'
import { bulkKey, findBulk } from './bulk.ts'

/** The operations that end a bulk change when its job is cancelled. Changes so far stay, and can be undone. */
export async function bulkCancelled(library: Writing, bulkId: string): Promise<Operations> {
  if ((await findBulk(library, bulkId))?.state !== 'PENDING') return {}
  const set = { state: 'FAILED', ended: library.clock.now() }
  return { bulk: { update: bulkKey(bulkId), changes: { set }, if: { state: { equals: 'PENDING' } } } }
}
