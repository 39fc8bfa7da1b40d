import type { Key, TableReader } from '../../backends/table/port.ts'
import { feedKeys } from '../media/change-feed.ts'
import { isAvailable, type MediaRecord, mediaKey } from '../media/media.ts'
import { everyItem } from '../pages.ts'
import { type Usage, type UsageRecord, usageKey } from '../usage/usage.ts'
import type { Library } from './library.ts'
import { type Problem, problem } from './problem.ts'
import type { Look } from './suspicions.ts'

/** Times that a count is tried while others change it. */
const TRIES = 3
/** Files read at once. */
const FILES_AT_ONCE = 100

/** A counter with what it counts by the files themselves. */
interface Count {
  key: Key
  companyId: number
  userId: number
  actual: Usage
  /** What the counter says; nothing where there is none. */
  counted: Usage
}

/** Counts what disk usage should be, file by file, and compares it with what the counters say. */
export class UsageCount {
  readonly #counts = new Map<string, Count>()

  addFile(media: MediaRecord): void {
    if (isAvailable(media)) add(this.#count(usageKey(media), media.companyId, media.uploadedBy).actual, media.bytes)
  }

  addCounter({ pk, sk, companyId, userId, bytes, files }: UsageRecord): void {
    this.#count({ pk, sk }, companyId, userId).counted = { bytes, files }
  }

  /** Looks at what differs: a walk takes its time, while files come and go. */
  *looks(library: Library): Generator<Look> {
    const different = [...this.#counts.values()].filter((count) => !same(count.actual, count.counted))
    for (const [companyId, counts] of Map.groupBy(different, (count) => count.companyId)) {
      yield () => lookAtUsage(library, companyId, counts)
    }
  }

  #count(key: Key, companyId: number, userId: number): Count {
    const known = this.#counts.get(addressOf(key))
    if (known) return known
    const count = { key, companyId, userId, actual: { bytes: 0, files: 0 }, counted: { bytes: 0, files: 0 } }
    this.#counts.set(addressOf(key), count)
    return count
  }
}

/** What is wrong with some counters of a company. Those that change while they are recounted, each time, are taken for right. */
async function lookAtUsage({ table }: Library, company_id: number, counts: readonly Count[]): Promise<Problem[]> {
  const open = new Map(counts.map((count) => [addressOf(count.key), count]))
  const problems: Problem[] = []
  for (let attempt = 0; attempt < TRIES && open.size > 0; attempt++) {
    const before = await readCounters(table, open.values())
    const actual = await recount(table, company_id, open)
    const after = await readCounters(table, open.values())
    const settled = [...open].filter(([address]) => same(before.get(address), after.get(address)))
    for (const [address, { userId: user_id }] of settled) {
      open.delete(address)
      const [is, says] = [actual.get(address) ?? NOTHING, after.get(address) ?? NOTHING]
      const difference = `: ${says.files} files of ${says.bytes} bytes, and there are ${is.files} of ${is.bytes}.`
      if (!same(is, says)) problems.push(problem('usage_wrong', { company_id, user_id, object: address }, difference))
    }
  }
  return problems
}

async function readCounters(table: TableReader, counts: Iterable<Count>): Promise<Map<string, Usage>> {
  const found = await table.getMany<UsageRecord>([...counts].map(({ key }) => key))
  return new Map(found.map((record) => [addressOf(record), record]))
}

/** Counts a company's files anew, by its change feed, which has every available file. */
async function recount(table: TableReader, companyId: number, counts: ReadonlyMap<string, Count>): Promise<Map<string, Usage>> {
  const shards = new Set([...counts.values()].map(({ key }) => shardOf(key)))
  const actual = new Map<string, Usage>()
  let batch: Key[] = []
  const read = async () => {
    for (const media of (await table.getMany<MediaRecord>(batch)).filter(isAvailable)) {
      const address = addressOf(usageKey(media))
      if (!counts.has(address)) continue
      const sum = actual.get(address) ?? { ...NOTHING }
      add(sum, media.bytes)
      actual.set(address, sum)
    }
    batch = []
  }
  for (const pk of feedKeys(companyId)) {
    for await (const entry of everyItem<Key>(table, { index: 'changeFeed', pk })) {
      const mediaId = Number(entry.pk.slice('MEDIA#'.length))
      if (entry.sk !== 'MEDIA' || !shards.has(shardOf(usageKey({ companyId, mediaId, uploadedBy: 0, bytes: 0 })))) continue
      batch.push(mediaKey(mediaId))
      if (batch.length === FILES_AT_ONCE) await read()
    }
  }
  await read()
  return actual
}

const NOTHING: Readonly<Usage> = { bytes: 0, files: 0 }
const addressOf = ({ pk, sk }: Key): string => `${pk} ${sk}`
const shardOf = ({ sk }: Key): string | undefined => sk.split('#').at(-1)

function add(sum: Usage, bytes: number): void {
  sum.bytes += bytes
  sum.files += 1
}

function same(a: Usage = NOTHING, b: Usage = NOTHING): boolean {
  return a.bytes === b.bytes && a.files === b.files
}
