import { networksOf } from '../../network.ts'
import { Turns } from '../concurrency/turns.ts'

/**
 * Parallel hashes per process. Each occupies a core and a thread of the pool that file I/O uses. `npm start` adds two threads to the pool
 * for file I/O (`UV_THREADPOOL_SIZE` in package.json).
 */
const HASHES_AT_ONCE = 2

/** At most one hash per source, so that a core stays free for other sources. */
const turns = new Turns({ atOnce: HASHES_AT_ONCE, atOncePerSource: 1, waiting: 30, waitingPerSource: 20 })

/**
 * Limits concurrent password hashing, round-robin over networks: a flood of sign-ins from one network blocks neither other requests nor
 * other sign-ins.
 * @throws Busy
 */
export function inTurn<T>(address: string, work: () => Promise<T>): Promise<T> {
  const networks = networksOf(address)
  return turns.take(networks.at(-1) ?? address, work)
}
