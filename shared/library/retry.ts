import { setTimeout as sleep } from 'node:timers/promises'
import { ConditionFailed, WriteConflict } from '../backends/table/port.ts'
import { timeLeft, within } from '../deadline.ts'
import { Conflict } from './errors.ts'

/** Requests live for 10 seconds, and a client wants to hear of the conflict. What is tried again inside of an attempt has what is left of it. */
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
  return within(LONGEST_MS, async () => {
    for (let n = 0; ; n++) {
      try {
        return await attempt()
      } catch (error) {
        if (!(error instanceof ConditionFailed || error instanceof WriteConflict) || !isRace(error)) throw error
      }
      const pause = Math.random() * Math.min(LONGEST_PAUSE_MS, 2 ** n)
      if (pause >= timeLeft()) throw new Conflict()
      await sleep(pause)
    }
  })
}
