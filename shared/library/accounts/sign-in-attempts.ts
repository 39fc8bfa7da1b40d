import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../backends/clock/port.ts'
import type { Key, Table, TableReader } from '../../backends/table/port.ts'
import { networksOf } from '../../network.ts'
import { Busy, TooManyAttempts } from '../errors.ts'
import { foldUsername } from './users.ts'

/**
 * Counts failed sign-ins in windows of 15 minutes: 10 per username and source, 100 per source. Nothing is counted per username or key
 * alone, so that no attacker can lock a user out. A source is an IPv4 address or an IPv6 /64; the /48 around that, which may hold many customers of
 * one network, has limits five times as high.
 */
const WINDOW_SECONDS = 15 * 60
const PER_USER_AND_SOURCE = 10
const PER_SOURCE = 100
const WIDER = 5

/** How long a sign-in waits for others that may or may not fail, in milliseconds, and its longest pause between two tries. */
const PATIENCE = 3_000
const LONGEST_PAUSE = 200

/** Attempts that failed, and those that are under way. One that was cut off stays under way until the window ends. */
type Counter = Key & { failures?: number; pending?: number; ttl: number }

export interface Attempt {
  username: string
  address: string
}

interface Limit {
  key: Key
  /** How many may have failed or be under way. */
  limit: number
  /** End of the window, in UNIX seconds. */
  ends: number
}

/** An attempt that may be made now. It counts as a failure until it is settled. */
export interface Reservation {
  /** Says how it went. A success gives the reservation back and ends the count of this user at this source. */
  settle(succeeded: boolean): Promise<void>
}

/** A window is part of a counter's key: a new one begins by itself. The first is that of the user at the narrowest network. */
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

/** Hashed: names and addresses may be longer than a key, and the table shall not tell them. */
function counterKey(subject: string): Key {
  return { pk: `ATTEMPTS#${createHash('sha256').update(subject).digest('hex')}`, sk: 'ATTEMPTS' }
}

/** Refuses an attempt after too many failures, at the price of a read. @throws TooManyAttempts */
export async function refuseAfterFailures({ table, clock }: { table: TableReader; clock: Clock }, attempt: Attempt): Promise<void> {
  const limits = limitsOf(clock, attempt)
  const counters = await table.getMany<Counter>(limits.map(({ key }) => key))
  for (const { key, limit, ends } of limits) {
    const failures = counters.find(({ pk }) => pk === key.pk)?.failures ?? 0
    if (failures >= limit) throw new TooManyAttempts(Math.ceil(ends - clock.now() / 1000))
  }
}

/**
 * Reserves an attempt before anything is compared: at no time have more failed or are under way than the limits say, whatever the number
 * of processes. Where only those under way leave no room, it waits for how they end: sign-ins that overlap don't refuse each other.
 * @throws TooManyAttempts, Busy
 */
export async function reserveAttempt({ table, clock }: { table: Table; clock: Clock }, attempt: Attempt): Promise<Reservation> {
  const limits = limitsOf(clock, attempt)
  const deadline = performance.now() + PATIENCE
  for (;;) {
    const taken = await Promise.all(limits.map(async (limit) => ({ ...limit, counter: await count(table, limit, { pending: 1 }) })))
    const full = taken.filter(({ counter: { failures = 0, pending = 0 }, limit }) => failures + pending > limit)
    if (full.length === 0) return { settle: (succeeded) => settle(table, limits, succeeded) }
    await Promise.all(limits.map((limit) => count(table, limit, { pending: -1 })))
    const failed = full.find(({ counter: { failures = 0 }, limit }) => failures >= limit)
    if (failed) throw new TooManyAttempts(Math.ceil(failed.ends - clock.now() / 1000))
    if (performance.now() > deadline) throw new Busy(1)
    await sleep(Math.random() * LONGEST_PAUSE)
  }
}

async function settle(table: Table, limits: readonly Limit[], succeeded: boolean): Promise<void> {
  await Promise.all(
    limits.map(async (limit, index) => {
      if (!succeeded) await count(table, limit, { pending: -1, failures: 1 })
      else if (index > 0) await count(table, limit, { pending: -1 })
      else await table.update(limit.key, { set: { failures: 0 }, add: { pending: -1 } })
    }),
  )
}

/** @returns the counter as it is then: the write and the read of it are one atomic step */
async function count(table: Table, { key, ends }: Limit, add: { pending: number; failures?: number }): Promise<Counter> {
  return table.update<Counter>(key, { set: { ttl: ends }, add })
}
