import { vi } from 'vitest'

/** Longest time until something holds, in milliseconds: far more than anything takes on a busy machine. */
const MAX_WAIT_MS = 300_000

/** Looks again until there is something true. @returns that @throws Error after five minutes */
export function until<Value>(look: () => Value | Promise<Value>): Promise<Exclude<Value, false | undefined>> {
  return vi.waitUntil(look, { timeout: MAX_WAIT_MS, interval: 20 }) as Promise<Exclude<Value, false | undefined>>
}
