import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { tableUpkeep } from '../../infra/local/jobs/table-upkeep.ts'
import { systemClock } from '../../shared/backends/clock/port.ts'
import { type EmbeddedTable, openEmbeddedTable } from '../../shared/backends/table/embedded.ts'
import { puts } from '../support/puts.ts'
import type { Row } from './report.ts'
import { temporaryData } from './service-process.ts'

/** Longest that a request may have to wait for such work, in milliseconds. */
const TARGET = 50
/** What a consumer of changes is called, which has read them all. */
const CONSUMER = 'consumer'
const TEXT = 'text of an item '.repeat(20)
const ITEMS_AT_ONCE = 100

/**
 * What goes on behind requests in the process that answers them: forgetting told changes, expiring items. How long it takes, and the longest
 * time in which no request could be answered.
 */
export async function run({ changes = 400_000 } = {}): Promise<Row[]> {
  await using data = await temporaryData()
  const table = openEmbeddedTable(join(data.directory, 'table.sqlite'))
  try {
    const tasks = new Map(tableUpkeep({ table }, systemClock, [CONSUMER]).map(({ name, work }) => [name, work]))
    await fill(table, changes)
    return [
      ...(await stalls(`expiring ${changes / 2} items`, tasks.get('expire-items')!)),
      ...(await stalls(`forgetting ${changes} changes`, tasks.get('trim-changes')!)),
    ]
  } finally {
    table.close()
  }
}

/** Makes changes, half of them of items that are due. */
async function fill(table: EmbeddedTable, changes: number): Promise<void> {
  for (let from = 0; from < changes; from += ITEMS_AT_ONCE) {
    const numbers = Array.from({ length: ITEMS_AT_ONCE }, (_, n) => from + n)
    const items = numbers.map((n) => ({ pk: `ITEM#${n}`, sk: 'ITEM', text: TEXT, ...(n % 2 === 0 && { ttl: 1 }) }))
    await table.transact(puts(items))
  }
  await table.savePosition(CONSUMER, String(changes))
}

async function stalls(what: string, work: () => Promise<void>): Promise<Row[]> {
  const delays = monitorEventLoopDelay({ resolution: 1 })
  delays.enable()
  // It measures from one turn to the next: the first must be over.
  await sleep(20)
  const started = performance.now()
  await work()
  const seconds = (performance.now() - started) / 1000
  // The delay of work that never gave way is told at the next turn.
  await sleep(20)
  delays.disable()
  return [
    { what: `${what}, in all`, value: seconds, unit: 's' },
    { what: `${what}, p99 of waiting for a turn`, value: delays.percentile(99) / 1e6, unit: 'ms' },
    { what: `${what}, longest wait for a turn`, value: delays.max / 1e6, unit: 'ms', atMost: TARGET },
  ]
}
