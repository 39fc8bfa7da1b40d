import type { Clock } from '../../backends/clock/port.ts'
import { repeating } from './repeating.ts'

/**
 * Renews a lease three times in its lifetime, until the scope ends (`await using`). A failed renewal doesn't stop the owner: at worst
 * another process takes over.
 * @param leaseMs lifetime of the lease, in milliseconds
 */
export function renewing(clock: Clock, leaseMs: number, renew: () => Promise<unknown>): AsyncDisposable {
  return repeating(clock, leaseMs / 3, () => renew().catch(() => undefined))
}
