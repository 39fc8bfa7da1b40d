import { systemClock } from '../../backends/clock/port.ts'
import { ConditionFailed, WriteConflict } from '../../backends/table/port.ts'
import { jitteredBackoff } from '../../backoff.ts'
import { timeLeft, within } from '../../deadline.ts'
import { Conflict } from '../errors.ts'

/** Longest time of retries, in milliseconds, shared by nested calls. Requests end after 10 seconds, so clients still get the conflict. */
const LONGEST_MS = 7_000
const PAUSES = { first: 1, longest: 200 }

/**
 * Retries an optimistic read-then-conditional-write that lost a race. The pause grows with full jitter, so 50 writers of one record all
 * succeed within a request.
 * @param isRace whether a retry can help
 * @throws Conflict when others keep winning
 */
export async function retryOnConflict<T>(
  attempt: () => Promise<T>,
  isRace: (error: ConditionFailed | WriteConflict) => boolean = () => true,
): Promise<T> {
  return within(LONGEST_MS, async () => {
    for (let failed = 1; ; failed++) {
      try {
        return await attempt()
      } catch (error) {
        if (!(error instanceof ConditionFailed || error instanceof WriteConflict) || !isRace(error)) throw error
      }
      const pause = jitteredBackoff(failed, PAUSES)
      if (pause >= timeLeft()) throw new Conflict()
      await systemClock.sleep(pause)
    }
  })
}
