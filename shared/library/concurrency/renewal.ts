import type { Clock } from '../../backends/clock/port.ts'
import { repeating } from './repeating.ts'

/**
 * Renews a claim three times in its life, until the end of the scope (`await using`). A failed renewal doesn't stop the owner: at worst another
 * process takes over.
 * @param claimMs life of a claim, in milliseconds
 */
export function renewing(clock: Clock, claimMs: number, renew: () => Promise<unknown>): AsyncDisposable {
  return repeating(clock, claimMs / 3, () => renew().catch(() => undefined))
}
