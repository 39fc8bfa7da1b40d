import type { Clock } from '../../backends/clock/port.ts'
import type { TableReader } from '../../backends/table/port.ts'
import { dueTime } from '../due.ts'

/** Partition of the failing targets in the index of due records, by the time of their first failure. */
export const failingKey = 'WEBHOOKS_FAILING'

/** Log message while targets have failed for more than an hour. A stack has an alarm on it. */
export const FAILING_WEBHOOKS = 'webhooks are failing'

const HOUR_MS = 3_600_000

/** Counts the targets that have failed for more than an hour, up to a limit. */
export async function countFailing({ table, clock }: { table: Pick<TableReader, 'query'>; clock: Clock }, most = 1_000): Promise<number> {
  const long = { to: dueTime(clock.now() - HOUR_MS) }
  return (await table.query({ index: 'trashDue', pk: failingKey, sk: long, limit: most })).items.length
}
