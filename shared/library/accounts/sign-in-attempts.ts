import { createHash } from 'node:crypto'
import type { Clock } from '../../backends/clock/port.ts'
import type { Key, Table, TableReader } from '../../backends/table/port.ts'
import { TooManyAttempts } from '../errors.ts'
import { foldUsername } from './users.ts'

/**
 * Counts failed sign-ins in windows of 15 minutes: 10 per username and source address, 100 per source address (decision 9).
 * Nothing is counted per username or key alone, so nobody can lock others out.
 */
const WINDOW_SECONDS = 15 * 60
const PER_USER_AND_ADDRESS = 10
const PER_ADDRESS = 100

type Counter = Key & { failures: number; ttl: number }

export interface Attempt {
  username: string
  address: string
}

/** A window is part of a counter's key: nobody has to begin a new one, and parallel failures all count. */
function counters(clock: Clock, { username, address }: Attempt): { key: Key; limit: number; ends: number }[] {
  const window = Math.floor(clock.now() / 1000 / WINDOW_SECONDS)
  const ends = (window + 1) * WINDOW_SECONDS
  return [
    { key: counterKey(JSON.stringify([window, address, foldUsername(username)])), limit: PER_USER_AND_ADDRESS, ends },
    { key: counterKey(JSON.stringify([window, address])), limit: PER_ADDRESS, ends },
  ]
}

/** Hashed, because names and addresses may be longer than a key and are nobody's business in the table. */
function counterKey(subject: string): Key {
  return { pk: `ATTEMPTS#${createHash('sha256').update(subject).digest('hex')}`, sk: 'ATTEMPTS' }
}

/** @throws TooManyAttempts */
export async function checkAttempts(table: TableReader, clock: Clock, attempt: Attempt): Promise<void> {
  for (const { key, limit, ends } of counters(clock, attempt)) {
    const counter = await table.get<Counter>(key)
    if (counter && counter.failures >= limit) throw new TooManyAttempts(Math.ceil(ends - clock.now() / 1000))
  }
}

export async function countFailure(table: Table, clock: Clock, attempt: Attempt): Promise<void> {
  for (const { key, ends } of counters(clock, attempt)) await table.update(key, { set: { ttl: ends }, add: { failures: 1 } })
}

/** A success ends the count of this user at this address. */
export async function forgetFailures(table: Table, clock: Clock, attempt: Attempt): Promise<void> {
  const [perUser] = counters(clock, attempt)
  if (perUser) await table.delete(perUser.key)
}
