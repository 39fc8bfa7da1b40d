import { networksOf } from '../../network.ts'
import { Turns } from '../concurrency/turns.ts'

/**
 * Hashes at a time in a process. Each takes a core and one of the threads that file I/O runs on, too: `npm start` has two more of those
 * (`UV_THREADPOOL_SIZE` in package.json), so that files have as many as ever.
 */
export const HASHES_AT_ONCE = 2

/** A source has at most one of them: the other one, and a core with it, is free for all other sources. */
const turns = new Turns({ atOnce: HASHES_AT_ONCE, atOncePerSource: 1, waiting: 30, waitingPerSource: 20 })

/**
 * Runs work that hashes a password when it is this address's turn: a flood of sign-ins from one network blocks neither the rest of the process
 * nor sign-ins from elsewhere. @throws Busy
 */
export function inTurn<T>(address: string, work: () => Promise<T>): Promise<T> {
  const networks = networksOf(address)
  return turns.take(networks.at(-1) ?? address, work)
}
