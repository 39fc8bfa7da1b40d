import type { Clock } from '../../backends/clock/port.ts'
import type { TableReader } from '../../backends/table/port.ts'
import { dueTime } from '../due.ts'

/** Partition of the index of due records with the targets that fail, by the time since when. */
export const failingKey = 'WEBHOOKS_FAILING'

/** What the log says while targets have failed for more than an hour: a deployed service has an alarm on it. */
export const FAILING_WEBHOOKS = 'webhooks are failing'

const HOUR_MS = 3_600_000

/** How many targets have failed for more than an hour; at most so many are counted. */
export async function countFailing({ table, clock }: { table: Pick<TableReader, 'query'>; clock: Clock }, most = 1_000): Promise<number> {
  const long = { to: dueTime(clock.now() - HOUR_MS) }
  return (await table.query({ index: 'trashDue', pk: failingKey, sk: long, limit: most })).items.length
}
