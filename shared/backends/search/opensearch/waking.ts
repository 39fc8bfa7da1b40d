import { errors } from '@opensearch-project/opensearch'
import { backoff } from '../../../backoff.ts'
import { timeLeft } from '../../../deadline.ts'
import { systemClock } from '../../clock/port.ts'
import { IndexBehind } from '../port.ts'

const PAUSES = { first: 200, longest: 2_000 }

/** Answers of an engine that is busy or starting: a collection without traffic has no capacity and gets it within 10 to 30 s. */
export const PASSING: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504])

/**
 * Repeats a request while the engine wakes, or is busy.
 * @param maxWaitMs time limit in milliseconds; less where the caller has less left (deadline.ts)
 * @param request gets the remaining milliseconds
 * @throws IndexBehind when the engine did not answer in time, and other errors of the request
 */
export async function whileWaking<T>(maxWaitMs: number, request: (left: number) => Promise<T>): Promise<T> {
  const deadline = Date.now() + Math.min(maxWaitMs, timeLeft())
  for (let failed = 1; ; failed++) {
    try {
      return await request(Math.max(1, deadline - Date.now()))
    } catch (error) {
      if (!isPassing(error)) throw error
      const pause = backoff(failed, PAUSES)
      if (Date.now() + pause >= deadline) throw new IndexBehind('the search engine does not answer yet', { cause: error })
      await systemClock.sleep(pause)
    }
  }
}

/** Whether the same request may succeed later. */
function isPassing(error: unknown): boolean {
  if (error instanceof errors.ResponseError) return PASSING.has(error.statusCode)
  return error instanceof errors.ConnectionError || error instanceof errors.TimeoutError || error instanceof errors.NoLivingConnectionsError
}

/** Whether the index or alias doesn't exist. */
export function isMissingIndex(error: unknown): boolean {
  return error instanceof errors.ResponseError && error.statusCode === 404
}

/** Whether the name of a new index is taken. */
export function isNameTaken(error: unknown): boolean {
  return error instanceof errors.ResponseError && error.message.includes('resource_already_exists_exception')
}
