import { setTimeout } from 'node:timers/promises'

/** The time, as a port so that tests can move it. */
export interface Clock {
  /** Milliseconds since the UNIX epoch, UTC. */
  now(): number
  /** Waits. Rejects with the signal's reason as soon as it is aborted, or at once if it already is. */
  sleep(milliseconds: number, options?: { signal?: AbortSignal }): Promise<void>
}

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  async sleep(milliseconds, { signal } = {}) {
    try {
      await setTimeout(milliseconds, undefined, { signal })
    } catch (error) {
      throw signal?.aborted ? signal.reason : error
    }
  },
}
