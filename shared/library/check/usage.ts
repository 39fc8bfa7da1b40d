import type { Item, Key } from '../../backends/table/port.ts'
import { pagesOfFiles } from '../media/company-files.ts'
import { isMedia } from '../media/keys.ts'
import { hasFile, isAvailable } from '../media/media.ts'
import { everyItem } from '../pages.ts'
import { type Usage, type UsageRecord, usageKey } from '../usage/usage.ts'
import { addressOf, idIn, keyAt, kindOf } from './keys.ts'
import type { Library } from './library.ts'
import { type Problem, problem } from './problem.ts'

/** Disk usage by the address of its counter. */
type Counters = ReadonlyMap<string, Usage>

/** Adds up files and counters of a walk: a company whose sum is not 0 is to be counted by `checkUsage`. */
export class UsageTally {
  readonly #left = new Map<string, Usage>()

  add(item: Item): void {
    if (kindOf(item) === 'COMPANY USAGE') this.#addTo(item, item as Key as UsageRecord, -1)
    else if (isMedia(item) && isAvailable(item) && hasFile(item)) this.#addTo(usageKey(item), { bytes: item.bytes, files: 1 }, 1)
  }

  /** Partitions of companies. */
  unbalanced(): Set<string> {
    const counters = this.#left.entries().filter(([, left]) => !same(left, NOTHING))
    return new Set(counters.map(([counter]) => keyAt(counter).pk))
  }

  #addTo(counter: Key, { bytes = 0, files = 0 }: Partial<Usage>, sign: 1 | -1): void {
    const left = this.#left.get(addressOf(counter)) ?? NOTHING
    this.#left.set(addressOf(counter), { bytes: left.bytes + sign * bytes, files: left.files + sign * files })
  }
}

/**
 * Counts a company's files and compares them with its counters of disk usage. A counter that changes meanwhile is taken for right.
 * @param company its partition
 */
export async function* checkUsage(library: Library, company: string): AsyncGenerator<Problem> {
  const before = await readCounters(library, company)
  const counted = await countFiles(library, company)
  const after = await readCounters(library, company)
  for (const counter of new Set([...before.keys(), ...counted.keys(), ...after.keys()])) {
    const [is, says] = [counted.get(counter) ?? NOTHING, after.get(counter) ?? NOTHING]
    if (same(is, says) || !same(before.get(counter), says)) continue
    const difference = `: ${says.files} files of ${says.bytes} bytes, and there are ${is.files} of ${is.bytes}.`
    const ids = { company_id: idIn(company), user_id: idIn(keyAt(counter).sk), object: counter }
    yield problem('usage_wrong', ids, difference)
  }
}

async function readCounters({ table }: Library, company: string): Promise<Counters> {
  const query = { pk: company, sk: { beginsWith: 'USAGE#' }, consistent: true }
  const records = await Array.fromAsync(everyItem<UsageRecord>(table, query))
  return new Map(records.map((record) => [addressOf(record), record]))
}

/** Counts by the company's change feed, which has every available file. */
async function countFiles({ table }: Library, company: string): Promise<Counters> {
  const counters = new Map<string, Usage>()
  for await (const page of pagesOfFiles({ table }, idIn(company))) {
    for (const media of page.filter(hasFile)) {
      const counter = addressOf(usageKey(media))
      const { bytes, files } = counters.get(counter) ?? NOTHING
      counters.set(counter, { bytes: bytes + media.bytes, files: files + 1 })
    }
  }
  return counters
}

const NOTHING: Readonly<Usage> = { bytes: 0, files: 0 }

function same(a = NOTHING, b = NOTHING): boolean {
  return a.bytes === b.bytes && a.files === b.files
}
