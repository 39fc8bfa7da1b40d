import type { EncodingId } from '../../vocabulary/ids.ts'
import { type StreamInvalidation, streamInvalidationKey } from './invalidation.ts'
import type { Waking } from './invalidation-run.ts'

/**
 * Makes edges forget a stream whose files are removed. May be repeated: a caller that dies before it notes that it did calls it again.
 * @returns when that is committed and on its way; edges take minutes
 */
export async function forgetStream({ table, clock, invalidations }: Waking, encodingId: EncodingId): Promise<void> {
  const now = clock.now()
  const invalidation: StreamInvalidation = { encodingId, since: now, notBefore: now }
  await table.put({ ...streamInvalidationKey(encodingId), ...invalidation })
  await invalidations.send({})
}
