import { randomUUID } from 'node:crypto'
import type { QueueSender } from '../../backends/queue/port.ts'
import type { Key } from '../../backends/table/port.ts'
import type { Messages } from '../../vocabulary/messages.ts'
import { asRead, held } from '../conditional.ts'
import type { Writing } from '../library.ts'
import { INVALIDATIONS } from './invalidation.ts'

/*
 * One run at a time works on the invalidations, so that what many links need goes in one request. A run that finds another one at work leaves
 * word and ends. A run that leaves something to do sends a message for later, unless one that comes early enough is on its way: however many
 * messages there are, soon there is one.
 */

/**
 * How long a run has the invalidations to itself, in milliseconds. It says meanwhile that it goes on. After a crash all links wait for the end of
 * that time: it is short. Two runs at a time harm nothing.
 */
export const RUN_MS = 15_000
/** Longest delay of a message, in seconds. */
const LONGEST_DELAY = 900

type StoredRun = Key & {
  /** Token of the run that works, and until when. */
  runner?: string
  runnerUntil?: number
  /** Somebody came while it worked. */
  isWanted?: boolean
  /** The message for later that is on its way: when it arrives, in UNIX milliseconds. */
  wake?: number
}

const runKey: Key = { pk: INVALIDATIONS, sk: 'RUN' }

type Message = Messages['invalidations']

export interface Waking extends Pick<Writing, 'table' | 'clock'> {
  invalidations: QueueSender<Message>
}

/**
 * @param message that starts it
 * @param patience milliseconds that it may be late: it is left to a run that comes so soon
 * @returns the token of this run; undefined where another one does its work
 */
export async function beginRun(library: Waking, message: Message, patience: number): Promise<string | undefined> {
  const { table, clock } = library
  for (;;) {
    const { runner, runnerUntil = 0, wake } = (await table.get<StoredRun>(runKey)) ?? {}
    const now = clock.now()
    // By its name, not by the time: clocks of processes differ.
    const isAwaited = wake !== undefined && wake === message.wake
    if (!isAwaited && wake !== undefined && wake > now && wake <= now + patience) return undefined
    const unchanged = { runner: asRead(runner), wake: asRead(wake) }
    const arrived = isAwaited ? ['wake'] : []
    if (runner === undefined || runnerUntil <= now) {
      const own = randomUUID()
      const changes = { set: { runner: own, runnerUntil: now + RUN_MS }, remove: ['isWanted', ...arrived] }
      if (await held(table.update(runKey, changes, unchanged))) return own
    } else if (await held(table.update(runKey, { set: { isWanted: true }, remove: arrived }, unchanged))) {
      // The other one may have crashed.
      await wakeAt(library, runnerUntil)
      return undefined
    }
  }
}

/** Says that the run goes on. */
export function goOn({ table, clock }: Waking, runner: string): Promise<boolean> {
  return held(table.update<StoredRun>(runKey, { set: { runnerUntil: clock.now() + RUN_MS } }, { runner: { equals: runner } }))
}

/** @returns whether somebody came while the run worked: what they brought it may not have seen */
export async function endRun({ table }: Waking, runner: string): Promise<boolean> {
  const ended = table.update<StoredRun>(runKey, { remove: ['runner', 'runnerUntil'] }, { runner: { equals: runner } })
  return (await held(ended)) && (await ended).isWanted === true
}

/** Sees to it that a run begins at a time, in UNIX milliseconds, or a little earlier. */
export async function wakeAt({ table, clock, invalidations }: Waking, time: number): Promise<void> {
  const now = clock.now()
  const { wake: onItsWay = 0 } = (await table.get<StoredRun>(runKey)) ?? {}
  if (onItsWay > now && onItsWay <= time) return
  const delaySeconds = Math.min(Math.max(Math.ceil((time - now) / 1000), 0), LONGEST_DELAY)
  const wake = now + delaySeconds * 1000
  await invalidations.send({ wake }, { delaySeconds })
  await table.update(runKey, { set: { wake } })
}
