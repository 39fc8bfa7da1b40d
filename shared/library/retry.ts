import { setTimeout as sleep } from 'node:timers/promises'
import { ConditionFailed, WriteConflict } from '../backends/table/port.ts'
import { Conflict } from './errors.ts'

/** Requests live for 10 seconds, and a client wants to hear of the conflict. */
const LONGEST_MS = 7_000
const LONGEST_PAUSE_MS = 200

/**
 * Runs an optimistic read-then-conditional-write again while others win the race. The pause grows with full jitter, so that
 * 50 writers of one record all get through within the time of a request.
 * @param isRace whether trying again can help
 * @throws Conflict when they win every time
 */
export async function retryOnConflict<T>(
  attempt: () => Promise<T>,
  isRace: (error: ConditionFailed | WriteConflict) => boolean = () => true,
): Promise<T> {
  const deadline = performance.now() + LONGEST_MS
  for (let n = 0; performance.now() < deadline; n++) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof ConditionFailed || error instanceof WriteConflict) || !isRace(error)) throw error
      await sleep(Math.random() * Math.min(LONGEST_PAUSE_MS, 2 ** n))
    }
  }
  throw new Conflict()
}
