import type { Item, Key } from '../../backends/table/port.ts'
import { pagesOfFiles } from '../media/change-feed.ts'
import { isMedia } from '../media/keys.ts'
import { hasFile, isAvailable, type MediaRecord } from '../media/media.ts'
import { everyItem } from '../pages.ts'
import { added, NO_USAGE, type Usage, type UsageRecord, usageKey } from '../usage/usage.ts'
import { addressOf, idIn, keyAt, kindOf } from './keys.ts'
import type { Library } from './library.ts'
import { type Problem, problem } from './problem.ts'

/** Sums up files and compares them with the counters of disk usage. */
export class UsageCount {
  readonly #made = new Map<string, Usage>()
  readonly #said = new Map<string, Usage>()

  /** Adds a file or a counter. Other items are ignored. */
  add(item: Item): void {
    if (kindOf(item) === 'COMPANY USAGE') this.#said.set(addressOf(item), added(NO_USAGE, item as Key as UsageRecord))
    else if (isMedia(item)) this.addFile(item)
  }

  addFile(media: MediaRecord): void {
    if (!isAvailable(media) || !hasFile(media)) return
    const counter = addressOf(usageKey(media))
    const { bytes, versionBytes = 0 } = media
    this.#made.set(counter, added(this.#made.get(counter) ?? NO_USAGE, { bytes: bytes + versionBytes, files: 1, versionBytes }))
  }

  /** Counters that are wrong, by their addresses. */
  *wrong(): Generator<{ counter: string; is: Usage; says: Usage }> {
    for (const counter of new Set([...this.#made.keys(), ...this.#said.keys()])) {
      const [is, says] = [this.#made.get(counter) ?? NO_USAGE, this.#said.get(counter) ?? NO_USAGE]
      if (!same(is, says)) yield { counter, is, says }
    }
  }

  /** Partitions of companies with a wrong counter. */
  wrongCompanies(): Set<string> {
    return new Set(this.wrong().map(({ counter }) => keyAt(counter).pk))
  }
}

/**
 * Counts a company's files and compares them with its counters of disk usage. A counter that changes meanwhile is not reported.
 * @param company its partition
 */
export async function* checkUsage(library: Library, company: string): AsyncGenerator<Problem> {
  const count = new UsageCount()
  const before = new Map((await readCounters(library, company)).map((record) => [addressOf(record), added(NO_USAGE, record)]))
  // The company's change feed has every available file.
  for await (const page of pagesOfFiles(library, idIn(company))) for (const media of page) count.addFile(media)
  for (const record of await readCounters(library, company)) count.add(record)
  for (const { counter, is, says } of count.wrong()) {
    if (!same(before.get(counter), says)) continue
    const difference = `: ${says.files} files of ${says.bytes} bytes, and there are ${is.files} of ${is.bytes}.`
    const ids = { company_id: idIn(company), user_id: idIn(keyAt(counter).sk), object: counter }
    yield problem('usage_wrong', ids, difference)
  }
}

function readCounters({ table }: Library, company: string): Promise<UsageRecord[]> {
  return Array.fromAsync(everyItem<UsageRecord>(table, { pk: company, sk: { beginsWith: 'USAGE#' }, consistent: true }))
}

function same(a = NO_USAGE, b = NO_USAGE): boolean {
  return a.bytes === b.bytes && a.files === b.files && a.versionBytes === b.versionBytes
}
