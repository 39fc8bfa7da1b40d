import { createHmac, timingSafeEqual } from 'node:crypto'
import { Unauthorized } from '../errors.ts'

/** How far a client's clock may be off, in seconds. */
export const TOLERANCE_SECONDS = 300

/** Lower-case hex HMAC-SHA1 over `<key>:<ts>`, as the interface defines it. @param ts UNIX seconds */
export function applicationHmac(secret: string, key: string, ts: number): string {
  return createHmac('sha1', secret).update(`${key}:${ts}`).digest('hex')
}

/**
 * Checks an application's HMAC in constant time against ts and its neighbours, because some clients read the clock twice. `clockSkew()`
 * checks ts itself.
 */
export function verifyApplicationHmac(secret: string, given: { key: string; ts: number; hmac: string }): boolean {
  const matches = [given.ts, given.ts - 1, given.ts + 1].map((ts) => constantTimeEquals(applicationHmac(secret, given.key, ts), given.hmac))
  return matches.includes(true)
}

/**
 * The error for a client whose clock is off. Depends on the two clocks alone, so it reveals nothing about keys.
 * @param ts UNIX seconds
 * @param now UNIX milliseconds
 * @returns undefined within the tolerance
 */
export function clockSkew(ts: number, now: number): Unauthorized | undefined {
  const seconds = Math.round(ts - now / 1000)
  if (Math.abs(ts - now / 1000) <= TOLERANCE_SECONDS) return undefined
  const direction = seconds > 0 ? 'ahead of' : 'behind'
  return new Unauthorized(
    `The ts is ${Math.abs(seconds)} s ${direction} this service's clock, and at most ${TOLERANCE_SECONDS} s are accepted. Set the clock of your machine.`,
    'clock_skew',
  )
}

function constantTimeEquals(expected: string, given: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)]
  return a.length === b.length && timingSafeEqual(a, b)
}
