import { Refused } from '../api/refused.ts'

/** Tries of what fails for a reason that passes: with the pauses between them a network may be gone for half a minute. */
export const TRIES = 8

/** The longest pause between two tries, in milliseconds. */
const LONGEST = 10_000

/** Parts that arrive while others are asked about pass, too, and so does an earlier try that is still being answered. */
const PASSING = ['part_in_flight', 'parts_missing', 'idempotency_in_progress']

/** Whether another try may succeed: the network, or a service that is busy. */
export const passes = (failure: unknown): boolean =>
  failure instanceof Refused && (failure.status === 0 || failure.status === 429 || failure.status >= 500 || PASSING.includes(failure.code))

/** Waits longer after each try, or until there is no other. @param tries that failed so far */
export function waitBefore(tries: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, Math.min(LONGEST, 500 * 3 ** tries))
  signal.addEventListener('abort', () => resolve(), { once: true })
  return promise.finally(() => clearTimeout(timer))
}
