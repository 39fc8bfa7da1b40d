import { backoff } from '../../backoff.ts'

const PAUSES = { first: 5_000, longest: 320_000 }
const HOUR = 3_600_000

/**
 * Attempts before a job counts as failed. The pauses between them add up to 955 seconds, so jobs survive an outage of a quarter of an hour.
 */
export const ATTEMPTS = 9

/** Whether a job counts as failed after this many attempts. It is still retried every hour. */
export const isFailed = (attempts: number): boolean => attempts >= ATTEMPTS

/** Milliseconds from a failed run to the next one: 5 seconds, 10, 20 and so on to 320; then an hour. @param attempts runs so far */
export function pauseAfter(attempts: number): number {
  return isFailed(attempts) ? HOUR : backoff(attempts, PAUSES)
}
