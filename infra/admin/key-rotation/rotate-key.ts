import type { Clock } from '../../../shared/backends/clock/port.ts'
import type { KeyStore, KeyValues } from '../../../shared/backends/secrets/port.ts'

/** The keys that can be rotated. */
export const keyKinds = ['url', 'secrets', 'origin'] as const
export type KeyKind = (typeof keyKinds)[number]

/** What a rotation of one kind of key does besides storing the values. Each may run again after it has ended anywhere. */
export interface KeyWork {
  makeNext(): Promise<string>
  /** Ends what the key of before is still needed for. It is not valid any more then. */
  finish?(values: KeyValues): Promise<void>
  /** Makes those who verify outside of this service know the next value. */
  announce?(values: KeyValues): Promise<void>
  /** Milliseconds that they take to know it, where that is longer than our own processes take. */
  announcedMs?: number
}

/** The surroundings of a rotation. */
export interface Surroundings {
  clock: Clock
  pause(ms: number): Promise<void>
  /** Tells the operator what it waits for. */
  tell(line: string): void
}

/**
 * Rotates a key while it is in use: the next value is stored, and when all who verify or open know it, it becomes the current one. What the
 * current one has signed or sealed stays valid, as long as the key is not rotated again. A rotation that was interrupted is gone on with.
 * @throws KeyReplaced when another one runs, and whatever the work throws: the key is valid as it is stored then
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

/** Waits until everybody knows what was stored, or announced, at a time. */
async function untilKnown(since = 0, ms: number, { clock, pause, tell }: Surroundings): Promise<void> {
  const wait = since + ms - clock.now()
  if (wait <= 0) return
  if (wait > 5_000) tell(`Waiting until ${new Date(since + ms).toISOString().slice(11, 19)} UTC: everybody knows the key by then.`)
  // A clock that was set back makes it wait no longer than a process can know the values before.
  await pause(Math.min(wait, ms))
}
