import type { Clock } from '../../shared/backends/clock/port.ts'
import type { KeyStore, KeyValues } from '../../shared/backends/secrets/port.ts'

/** The keys that can be rotated. */
export const keyKinds = ['url', 'secrets', 'origin'] as const
export type KeyKind = (typeof keyKinds)[number]

/** Steps of a rotation of one kind of key, besides storing the values. Idempotent, also after a crash. */
export interface KeyWork {
  makeNext(): Promise<string>
  /** Ends the uses of the previous key, which becomes invalid afterwards. */
  finish?(values: KeyValues): Promise<void>
  /** Announces the next value to verifiers outside of this service. */
  announce?(values: KeyValues): Promise<void>
  /** Milliseconds until they know it, where longer than for the service's own processes. */
  announcedMs?: number
}

/** The surroundings of a rotation. */
export interface Surroundings {
  clock: Clock
  /** Tells the operator what it waits for. */
  tell(line: string): void
}

/**
 * Rotates a key while it is in use: stores the next value, and makes it the current one once all verifiers know it. What the previous value signed or
 * sealed stays valid until the next rotation. Continues an interrupted rotation.
 * @throws KeyReplaced when another rotation runs, and whatever the work throws. The stored key stays valid
 */
export async function rotateKey(store: KeyStore, work: KeyWork, surroundings: Surroundings): Promise<KeyValues> {
  const { clock, tell } = surroundings
  let key = await store.read()
  await untilKnown(key.values.since, store.knownMs, surroundings)
  await work.finish?.(key.values)
  if (key.values.next === undefined) {
    const next = await work.makeNext()
    key = await store.replace(key, { current: key.values.current, next, since: clock.now() })
  } else tell('An earlier rotation was interrupted: this one goes on with it.')
  await work.announce?.(key.values)
  await untilKnown(clock.now(), work.announcedMs ?? 0, surroundings)
  await untilKnown(key.values.since, store.knownMs, surroundings)
  const { current, next } = key.values
  key = await store.replace(key, { current: next!, previous: current, since: clock.now() })
  await untilKnown(key.values.since, store.knownMs, surroundings)
  await work.finish?.(key.values)
  return key.values
}

/** Waits until all verifiers know what was stored or announced at a time. */
async function untilKnown(since = 0, ms: number, { clock, tell }: Surroundings): Promise<void> {
  const wait = since + ms - clock.now()
  if (wait <= 0) return
  if (wait > 5_000) tell(`Waiting until ${new Date(since + ms).toISOString().slice(11, 19)} UTC: everybody knows the key by then.`)
  // Bounds the wait if the clock was set back.
  await clock.sleep(Math.min(wait, ms))
}
