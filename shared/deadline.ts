import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'

/** The deadline of the current work, in the milliseconds of `performance.now()`. */
const ends = new AsyncLocalStorage<number>()

/**
 * Runs work with a deadline in milliseconds from now, or with the surrounding work's deadline if that is earlier. Does not stop the work:
 * it asks `timeLeft` itself.
 */
export function within<T>(milliseconds: number, work: () => Promise<T>): Promise<T> {
  return ends.run(performance.now() + Math.min(milliseconds, timeLeft()), work)
}

/** Runs work without a deadline, because it may outlive the work that started it. */
export function unlimited<T>(work: () => Promise<T>): Promise<T> {
  return ends.run(Number.POSITIVE_INFINITY, work)
}

/** Milliseconds until the deadline of the current work; Infinity without one. */
export function timeLeft(): number {
  const end = ends.getStore()
  return end === undefined ? Number.POSITIVE_INFINITY : end - performance.now()
}

/**
 * Waits for work for a limited time. The work itself goes on after that.
 * @param milliseconds longest wait
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

/** Waits until the deadline at most for work that no answer depends on. Unfinished work goes on by itself. */
export async function asLongAsPossible(work: Promise<void>): Promise<void> {
  return inTime(work, timeLeft(), () => undefined)
}
