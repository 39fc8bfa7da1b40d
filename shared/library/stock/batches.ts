import { MAX_ITEM_BYTES } from '../../backends/table/port.ts'
import type { Entry } from './items.ts'

/** A transaction holds 100 operations (an item takes three) and 4 MB (changed records count whole). */
const [MOST_ENTRIES, MOST_BYTES] = [33, 3 * 1024 * 1024]

/**
 * Groups entries into batches of one transaction each.
 * @param isChange whether an entry changes an existing item; these count with the largest size of an item
 */
export function* batched(entries: Iterable<Entry>, isChange: (entry: Entry) => boolean = () => false): Generator<Entry[]> {
  let batch: Entry[] = []
  let bytes = 0
  for (const entry of entries) {
    const more = isChange(entry) ? MAX_ITEM_BYTES : Buffer.byteLength(JSON.stringify(entry.metadata)) + 2_000
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
