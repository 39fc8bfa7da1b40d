import type { MediaId } from '../../vocabulary/ids.ts'

/** One of so many imports asks for a snapshot of its company's search index. */
const SAMPLED = 2_000

/** Whether the import of this file asks for a snapshot. Ids are random, so it is about every 2,000th, and nothing has to count them. */
export function asksForSnapshot(mediaId: MediaId): boolean {
  return mediaId % SAMPLED === 0
}
