import type { Clock } from '../clock/port.ts'
import type { KeyValues, Secrets } from './port.ts'

/** How long a process caches values, in milliseconds. A rotation waits longer than that before each step. */
export const KNOWN_MS = 5 * 60_000

/** How long a process uses expired values after a failed read, in milliseconds, so that not every request waits for a failure. */
const RETRY_MS = 10_000

/** Caches secrets for `KNOWN_MS`. After a failed read the expired values are used; without any, the next call reads again. */
export function knownValues<Name extends string>(read: (name: Name) => Promise<KeyValues>, clock: Clock): Secrets<Name> {
  const known = new Map<Name, { values: Promise<KeyValues>; until: number }>()
  return {
    get(name) {
      const before = known.get(name)
      const now = clock.now()
      if (before && now < before.until) return before.values
      const values = read(name).catch((error: unknown) => {
        if (!before) {
          known.delete(name)
          throw error
        }
        known.set(name, { values: before.values, until: clock.now() + RETRY_MS })
        return before.values
      })
      known.set(name, { values, until: now + KNOWN_MS })
      return values
    },
  }
}
