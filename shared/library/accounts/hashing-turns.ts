import { networksOf } from '../../network.ts'
import { Turns } from '../turns.ts'

/**
 * Hashes at a time in a process. Each takes a core and one of the threads that file I/O runs on, too: `npm start` has two more of those
 * (`UV_THREADPOOL_SIZE` in package.json), so that files have as many as ever.
 */
export const HASHES_AT_ONCE = 2

/** One source has one of them at most: whoever comes from elsewhere finds the other one free, and a core with it. */
const turns = new Turns({ atOnce: HASHES_AT_ONCE, atOncePerSource: 1, waiting: 30, waitingPerSource: 20 })

/**
 * Does what hashes a password for somebody at this address when it is their turn: a flood of sign-ins from one network neither holds up
 * the rest of the process nor the sign-ins of others. @throws Busy
 */
export function inTurn<T>(address: string, work: () => Promise<T>): Promise<T> {
  const networks = networksOf(address)
  return turns.take(networks.at(-1) ?? address, work)
}
