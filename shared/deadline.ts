import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'

/** When the time of what runs is over, of `performance.now()`. */
const ends = new AsyncLocalStorage<number>()

/** Runs work that has so many milliseconds, or what is left to that of which it is a part, where that is less. The work itself asks `timeLeft`. */
export function within<T>(milliseconds: number, work: () => Promise<T>): Promise<T> {
  return ends.run(performance.now() + Math.min(milliseconds, timeLeft()), work)
}

/** Runs work that may go on after what began it: its time is its own. */
export function unlimited<T>(work: () => Promise<T>): Promise<T> {
  return ends.run(Number.POSITIVE_INFINITY, work)
}

/** Milliseconds that are left to what runs; infinite where nothing limits it. */
export function timeLeft(): number {
  const end = ends.getStore()
  return end === undefined ? Number.POSITIVE_INFINITY : end - performance.now()
}

/**
 * Waits for work for a time. The work goes on afterwards.
 * @param milliseconds that it is waited for
 * @returns the work's result, or what `late` returns or throws
 */
export async function inTime<Result, Late>(work: Promise<Result>, milliseconds: number, late: () => Late): Promise<Result | Late> {
  if (milliseconds === Number.POSITIVE_INFINITY) return work
  const over = new AbortController()
  try {
    return await Promise.race([work, sleep(Math.max(0, milliseconds), undefined, { signal: over.signal }).then(late)])
  } finally {
    over.abort()
  }
}

/** Waits for work on which no answer depends, but no longer than there is time. What isn't done by then goes on by itself. */
export async function asLongAsPossible(work: Promise<void>): Promise<void> {
  return inTime(work, timeLeft(), () => undefined)
}
