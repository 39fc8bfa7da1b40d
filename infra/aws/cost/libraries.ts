import { type Counted, UPLOADED_PHOTO } from './counted.ts'
import { usageOfDeliveries, usageOfOperation } from './operation.ts'
import { sumOf, times, type Usage } from './prices.ts'

/** A library as it is used in a month. */
export interface LibrarySize {
  name: string
  users: number
  files: number
  /** The size of all originals. */
  gb: number
  /** Files that come in the month. */
  uploads: number
  /** Calls of endpoints in the month, without those of uploads. */
  calls: Readonly<Record<string, number>>
  /** Pictures and files that are delivered, and their GB. */
  deliveries: number
  deliveredGb: number
}

/** The usage of a user in a month of twenty days: some searches with what they show, and a few downloads and edits. */
const ofUsers = (users: number) => ({
  calls: Object.fromEntries(
    Object.entries({ 'search-media': 400, 'list-folders': 100, 'get-media': 200, 'get-download-location': 40, 'set-title': 20 }).map(
      ([name, count]) => [name, count * users],
    ),
  ),
  deliveries: 4_000 * users,
  deliveredGb: 0.3 * users,
})

export const libraries: readonly LibrarySize[] = [
  { name: 'idle, with 10 GB', users: 0, files: 2_000, gb: 10, uploads: 0, ...ofUsers(0) },
  { name: 'small', users: 1_000, files: 100_000, gb: 500, uploads: 5_000, ...ofUsers(1_000) },
  { name: 'large', users: 20_000, files: 50_000_000, gb: 250_000, uploads: 500_000, ...ofUsers(20_000) },
]

/** Renditions beside an original, of its bytes, and records of a file, in GB: its document, what is in indexes, and its events. */
const RENDITIONS = 0.1
const RECORD_GB = 6e-6

/** The usage of a library in a month, without that of its idle stack. */
export function usageOfLibrary({ files, gb, uploads, calls, deliveries, deliveredGb }: LibrarySize, { operations }: Counted): Usage {
  const called = Object.entries({ ...calls, [UPLOADED_PHOTO]: uploads }).map(([name, count]) => {
    const operation = operations[name]
    if (!operation) throw new Error(`${name} is not counted`)
    return times(count, usageOfOperation(name, operation))
  })
  const kept = { objectGb: gb * (1 + RENDITIONS), tableGb: files * RECORD_GB, recoveryGb: files * RECORD_GB }
  return sumOf(kept, usageOfDeliveries(deliveries, deliveredGb), ...called)
}
