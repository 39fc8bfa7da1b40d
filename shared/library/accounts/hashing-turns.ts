import { networksOf } from '../../network.ts'
import { Turns } from '../concurrency/turns.ts'

/**
 * Concurrent hashes of a process. Each takes a core and a thread of the pool for file I/O. `npm start` has two more threads (`UV_THREADPOOL_SIZE` in
 * package.json), so that file I/O keeps its own.
 */
const HASHES_AT_ONCE = 2

/** One source has at most one hash, so that a core stays free for others. */
const turns = new Turns({ atOnce: HASHES_AT_ONCE, atOncePerSource: 1, waiting: 30, waitingPerSource: 20 })

/**
 * Limits concurrent password hashing, round-robin over addresses: a flood of sign-ins from one network blocks neither other requests nor other
 * sign-ins. @throws Busy
 */
export function inTurn<T>(address: string, work: () => Promise<T>): Promise<T> {
  const networks = networksOf(address)
  return turns.take(networks.at(-1) ?? address, work)
}
