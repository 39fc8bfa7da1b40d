import { hash } from 'node:crypto'
import type { Clock } from '../../backends/clock/port.ts'
import type { Key, Table } from '../../backends/table/port.ts'

const HOUR_SECONDS = 3600

type Count = Key & { count: number; ttl: number }

/**
 * Increments a subject's count for the current hour. The hour is part of the key, so a new hour starts at zero. The subject is hashed, so
 * the table doesn't reveal it.
 * @returns the new count, and the seconds until the hour ends
 */
export async function countInHour(
  { table, clock }: { table: Table; clock: Clock },
  subject: string,
): Promise<{ count: number; secondsLeft: number }> {
  const seconds = clock.now() / 1000
  const hour = Math.floor(seconds / HOUR_SECONDS)
  const ends = (hour + 1) * HOUR_SECONDS
  const key = { pk: `HOURLY#${hash('sha256', JSON.stringify([hour, subject]))}`, sk: 'HOURLY' }
  const { count } = await table.update<Count>(key, { set: { ttl: ends }, add: { count: 1 } })
  return { count, secondsLeft: Math.ceil(ends - seconds) }
}
