import type { Entry } from './items.ts'

/** A transaction holds 100 operations, of which an item takes three, and 4 MB. */
const [MOST_ENTRIES, MOST_BYTES] = [33, 3 * 1024 * 1024]

/** Entries in groups that one transaction can write. */
export function* batched(entries: Iterable<Entry>): Generator<Entry[]> {
  let batch: Entry[] = []
  let bytes = 0
  for (const entry of entries) {
    const more = Buffer.byteLength(JSON.stringify(entry.said)) + 2_000
    if (batch.length > 0 && (batch.length === MOST_ENTRIES || bytes + more > MOST_BYTES)) {
      yield batch
      batch = []
      bytes = 0
    }
    batch.push(entry)
    bytes += more
  }
  if (batch.length > 0) yield batch
}
