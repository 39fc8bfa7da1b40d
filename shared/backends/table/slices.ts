import { setImmediate } from 'node:timers/promises'

/** Rows that one statement may remove or change. It takes some ten milliseconds, in which the process answers no request. */
export const ROWS_AT_ONCE = 1_000

/**
 * Does slices of synchronous work until none is left. Requests are answered between them.
 * @param slice does at most `ROWS_AT_ONCE`. @returns how many it did; undefined when nothing is left
 * @returns how many were done in all
 */
export async function inSlices(slice: () => number | undefined): Promise<number> {
  let done = 0
  for (let count = slice(); count !== undefined; count = slice()) {
    done += count
    await setImmediate()
  }
  return done
}
