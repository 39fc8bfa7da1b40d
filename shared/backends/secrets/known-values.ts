import type { Clock } from '../clock/port.ts'
import type { KeyValues, Secrets } from './port.ts'

/** Milliseconds for which a process goes on with the values that it read. A rotation waits for longer before each of its steps. */
export const KNOWN_MS = 5 * 60_000

/** Milliseconds after a failed read for which a process goes on with older values, instead of making each request wait for a failure. */
const RETRY_MS = 10_000

/**
 * Secrets that are read again when what is known of them is five minutes old. A failed read is repeated by the next call, or leaves what is known
 * as it is.
 */
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
