import { createHash } from 'node:crypto'
import type { Clock } from '../../backends/clock/port.ts'
import type { Key, Table, TableReader } from '../../backends/table/port.ts'
import { networksOf } from '../../network.ts'
import { Busy, TooManyAttempts } from '../errors.ts'
import { foldUsername } from './users.ts'

/**
 * Counts failed sign-ins in windows of 15 minutes: 10 per username and source, 100 per source. Nothing is counted per username or key
 * alone, so that no attacker can lock a user out. A source is an IPv4 address or an IPv6 /64. The /48 around it may hold many customers,
 * and has limits five times as high.
 */
const WINDOW_SECONDS = 15 * 60
const PER_USER_AND_SOURCE = 10
const PER_SOURCE = 100
const WIDER = 5

/** Longest wait for the outcome of concurrent sign-ins, and longest pause between two tries, in milliseconds. */
const LONGEST_WAIT = 3_000
const LONGEST_PAUSE = 200

/** Failed and running attempts. An interrupted attempt counts as running until the window ends. */
type Counter = Key & { failures?: number; pending?: number; ttl: number }

export interface Attempt {
  username: string
  address: string
}

interface Limit {
  key: Key
  /** Most failed and running attempts. */
  limit: number
  /** End of the window, in UNIX seconds. */
  ends: number
}

/** A reserved attempt. It counts as running until its outcome is reported. */
export interface Reservation {
  /** Reports the outcome. A success releases the reservation and resets the user's count at this source. */
  report(succeeded: boolean): Promise<void>
}

/** The window is part of a counter's key, so a new window starts at zero. The first limit is that of the user at the narrowest network. */
function limitsOf(clock: Clock, { username, address }: Attempt): Limit[] {
  const window = Math.floor(clock.now() / 1000 / WINDOW_SECONDS)
  const ends = (window + 1) * WINDOW_SECONDS
  return networksOf(address).flatMap((network, width) => {
    const factor = width === 0 ? 1 : WIDER
    return [
      { key: counterKey(JSON.stringify([window, network, foldUsername(username)])), limit: PER_USER_AND_SOURCE * factor, ends },
      { key: counterKey(JSON.stringify([window, network])), limit: PER_SOURCE * factor, ends },
    ]
  })
}

/** Hashed: names and addresses may exceed a key's length, and the table must not reveal them. */
function counterKey(subject: string): Key {
  return { pk: `ATTEMPTS#${createHash('sha256').update(subject).digest('hex')}`, sk: 'ATTEMPTS' }
}

/** Refuses an attempt after too many failures. Takes one read. @throws TooManyAttempts */
export async function refuseAfterFailures({ table, clock }: { table: TableReader; clock: Clock }, attempt: Attempt): Promise<void> {
  const limits = limitsOf(clock, attempt)
  const counters = await table.getMany<Counter>(limits.map(({ key }) => key))
  for (const { key, limit, ends } of limits) {
    const failures = counters.find(({ pk }) => pk === key.pk)?.failures ?? 0
    if (failures >= limit) throw new TooManyAttempts(Math.ceil(ends - clock.now() / 1000))
  }
}

/**
 * Reserves an attempt before the check: failed and running attempts never exceed the limits, whatever the number of processes. Where
 * running attempts alone fill the limit it waits for their outcome, so that concurrent sign-ins don't refuse each other.
 * @throws TooManyAttempts, Busy
 */
export async function reserveAttempt({ table, clock }: { table: Table; clock: Clock }, attempt: Attempt): Promise<Reservation> {
  const limits = limitsOf(clock, attempt)
  const deadline = performance.now() + LONGEST_WAIT
  for (;;) {
    const taken = await Promise.all(limits.map(async (limit) => ({ ...limit, counter: await count(table, limit, { pending: 1 }) })))
    const full = taken.filter(({ counter: { failures = 0, pending = 0 }, limit }) => failures + pending > limit)
    if (full.length === 0) return { report: (succeeded) => report(table, limits, succeeded) }
    await Promise.all(limits.map((limit) => count(table, limit, { pending: -1 })))
    const failed = full.find(({ counter: { failures = 0 }, limit }) => failures >= limit)
    if (failed) throw new TooManyAttempts(Math.ceil(failed.ends - clock.now() / 1000))
    if (performance.now() > deadline) throw new Busy(1)
    await clock.sleep(Math.random() * LONGEST_PAUSE)
  }
}

async function report(table: Table, limits: readonly Limit[], succeeded: boolean): Promise<void> {
  await Promise.all(
    limits.map(async (limit, index) => {
      if (!succeeded) await count(table, limit, { pending: -1, failures: 1 })
      else if (index > 0) await count(table, limit, { pending: -1 })
      else await table.update(limit.key, { set: { failures: 0 }, add: { pending: -1 } })
    }),
  )
}

/** @returns the counter after the atomic update */
async function count(table: Table, { key, ends }: Limit, add: { pending: number; failures?: number }): Promise<Counter> {
  return table.update<Counter>(key, { set: { ttl: ends }, add })
}
