import type { Clock } from '../clock/port.ts'
import { timeLimit } from '../clock/time-limit.ts'
import type { Health, HealthProblem } from './port.ts'

/** Milliseconds to wait for a new check before the last result is returned. */
const PATIENCE = 200
/** Milliseconds after which an unfinished check is itself a problem. */
const LONGEST_CHECK = 30_000

const UNANSWERED: HealthProblem = { code: 'data_folder_unusable', message: 'The data folder does not answer.', stops: true }

/** Returns the last result if a new check takes long: a disk that is busy with hundreds of clients must not check like an outage. */
export function lastLook(health: Health, clock: Clock): Health {
  let last: HealthProblem[] | undefined
  let checking: { since: number; ended: Promise<HealthProblem[]> } | undefined

  async function check(): Promise<HealthProblem[]> {
    try {
      last = await health.problems()
      return last
    } finally {
      // A failed check isn't shared: the next request starts a new one.
      checking = undefined
    }
  }

  return {
    async problems() {
      checking ??= { since: clock.now(), ended: check() }
      const { since, ended } = checking
      if (clock.now() - since >= LONGEST_CHECK) return [UNANSWERED]
      const known = last
      if (!known) return ended
      using limit = timeLimit(clock, PATIENCE)
      const { promise: late, resolve } = Promise.withResolvers<HealthProblem[]>()
      limit.signal.addEventListener('abort', () => resolve(known))
      return await Promise.race([ended, late])
    },
  }
}
