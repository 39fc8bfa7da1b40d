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

function counters({ username, address }: Attempt): { key: Key; limit: number }[] {
  return [
    { key: counterKey(JSON.stringify([address, foldUsername(username)])), limit: PER_USER_AND_ADDRESS },
    { key: counterKey(JSON.stringify([address])), limit: PER_ADDRESS },
  ]
}

/** Hashed, because names and addresses may be longer than a key and are nobody's business in the table. */
function counterKey(subject: string): Key {
  return { pk: `ATTEMPTS#${createHash('sha256').update(subject).digest('hex')}`, sk: 'ATTEMPTS' }
}

/** @throws TooManyAttempts */
export async function checkAttempts(table: TableReader, clock: Clock, attempt: Attempt): Promise<void> {
  const now = Math.floor(clock.now() / 1000)
  for (const { key, limit } of counters(attempt)) {
    const counter = await table.get<Counter>(key)
    if (counter && counter.ttl > now && counter.failures >= limit) throw new TooManyAttempts(counter.ttl - now)
  }
}

export async function countFailure(table: Table, clock: Clock, attempt: Attempt): Promise<void> {
  const now = Math.floor(clock.now() / 1000)
  for (const { key } of counters(attempt)) {
    const counter = await table.get<Counter>(key)
    if (counter && counter.ttl > now) await table.update(key, { add: { failures: 1 } })
    else await table.put({ ...key, failures: 1, ttl: now + WINDOW_SECONDS })
  }
}

/** A success ends the count of this user at this address. */
export async function forgetFailures(table: Table, attempt: Attempt): Promise<void> {
  const [perUser] = counters(attempt)
  if (perUser) await table.delete(perUser.key)
}
