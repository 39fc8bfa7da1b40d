import type { MediaId } from '../../vocabulary/ids.ts'

/** One in this many imports asks for a snapshot of its company's search index. */
const SAMPLED = 2_000

/** Whether the import of this file asks for a snapshot. Ids are random, so about one in `SAMPLED` does, without a counter. */
export function asksForSnapshot(mediaId: MediaId): boolean {
  return mediaId % SAMPLED === 0
}
