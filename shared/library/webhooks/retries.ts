const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Pauses between attempts, in milliseconds: ten attempts over three days. */
const PAUSES = [5 * SECOND, 10 * SECOND, 30 * SECOND, 10 * MINUTE, HOUR, 5 * HOUR, 12 * HOUR, DAY, 30 * HOUR]
/** Largest random extension of a pause, as a fraction. Spreads the retries of deliveries that failed together. */
const JITTER = 0.1

/** Milliseconds from a failed attempt to the next one. @param attempts so far @returns undefined after the last one */
export function pauseAfter(attempts: number, retryAfter?: string, now = Date.now(), random = Math.random): number | undefined {
  const pause = PAUSES[attempts - 1]
  if (pause === undefined) return undefined
  return Math.max(pause * (1 + JITTER * random()), Math.min(millisecondsIn(retryAfter, now), DAY))
}

/** Milliseconds of a `Retry-After` header: seconds, or a date. Malformed values are ignored. */
function millisecondsIn(retryAfter: string | undefined, now: number): number {
  if (retryAfter === undefined) return 0
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter) * SECOND
  const date = Date.parse(retryAfter)
  return Number.isNaN(date) ? 0 : date - now
}
