import { createHmac, timingSafeEqual } from 'node:crypto'

/** How far a client's clock may be off, in seconds (decision 9). */
const TOLERANCE_SECONDS = 300

/** Lower-case hex HMAC-SHA1 over `<key>:<ts>`, as the interface defines it. @param ts UNIX seconds */
export function applicationHmac(secret: string, key: string, ts: number): string {
  return createHmac('sha1', secret).update(`${key}:${ts}`).digest('hex')
}

/**
 * Checks an application's HMAC in constant time against ts and its neighbours, because clients were seen to read the clock
 * twice. @param now UNIX milliseconds
 */
export function verifyApplicationHmac(secret: string, given: { key: string; ts: number; hmac: string }, now: number): boolean {
  const fresh = Math.abs(now / 1000 - given.ts) <= TOLERANCE_SECONDS
  const matches = [given.ts, given.ts - 1, given.ts + 1].map((ts) => constantTimeEquals(applicationHmac(secret, given.key, ts), given.hmac))
  return fresh && matches.includes(true)
}

function constantTimeEquals(expected: string, given: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)]
  return a.length === b.length && timingSafeEqual(a, b)
}
