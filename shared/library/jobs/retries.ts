import { backoff } from '../../backoff.ts'

const PAUSES = { first: 5_000, longest: 320_000 }
const HOUR = 3_600_000

/** Runs of a job before it counts as failed. The pauses between them add up to 955 seconds: an outage of a quarter of an hour fails none. */
export const ATTEMPTS = 9

/** Whether a job that failed so often counts as failed. It goes on to be tried, every hour. */
export const isFailed = (attempts: number): boolean => attempts >= ATTEMPTS

/** Milliseconds between a run that failed and the next one: 5 seconds, 10, 20 and so on to 320; then an hour. @param attempts runs so far */
export function pauseAfter(attempts: number): number {
  return isFailed(attempts) ? HOUR : backoff(attempts, PAUSES)
}
