import type { Clock } from '../clock/port.ts'
import { timeLimit } from '../clock/time-limit.ts'
import type { Health, HealthProblem } from './port.ts'

/** Milliseconds that a new look may take before the last one is told. */
const PATIENCE = 200
/** Milliseconds after which a look that has not ended is a problem itself. */
const LONGEST_LOOK = 30_000

const UNANSWERED: HealthProblem = { code: 'data_folder_unusable', message: 'The data folder does not answer.', stops: true }

/** Tells what the last look saw where a new one takes long: files that are read by hundreds of clients must not look like an outage. */
export function lastLook(health: Health, clock: Clock): Health {
  let last: HealthProblem[] | undefined
  let looking: { since: number; ended: Promise<HealthProblem[]> } | undefined

  async function look(): Promise<HealthProblem[]> {
    try {
      last = await health.problems()
      return last
    } finally {
      // One that failed isn't told again: the next request looks anew.
      looking = undefined
    }
  }

  return {
    async problems() {
      looking ??= { since: clock.now(), ended: look() }
      const { since, ended } = looking
      if (clock.now() - since >= LONGEST_LOOK) return [UNANSWERED]
      const known = last
      if (!known) return ended
      using limit = timeLimit(clock, PATIENCE)
      const { promise: late, resolve } = Promise.withResolvers<HealthProblem[]>()
      limit.signal.addEventListener('abort', () => resolve(known))
      return await Promise.race([ended, late])
    },
  }
}
