import { setImmediate as turn } from 'node:timers/promises'
import { type Clock, systemClock } from '../../shared/backends/clock/port.ts'

/**
 * A clock that only moves when a test moves it. Who sleeps by it wakes when that is past the end of the sleep; or when the machine's clock is, for
 * those who wait for real work.
 */
export class TestClock implements Clock {
  #ms = Date.UTC(2026, 0, 15, 12)
  /** When each sleep ends, by what ends it. */
  readonly #sleeping = new Map<AbortController, number>()

  get ms(): number {
    return this.#ms
  }

  set ms(ms: number) {
    this.#ms = ms
    this.wake()
  }

  now(): number {
    return this.#ms
  }

  advance(seconds: number): void {
    this.ms += seconds * 1000
  }

  async sleep(milliseconds: number, { signal }: { signal?: AbortSignal } = {}): Promise<void> {
    signal?.throwIfAborted()
    // Node's composite signals (`AbortSignal.any`) may be collected, and then tell nobody.
    const awake = new AbortController()
    const wake = () => awake.abort()
    signal?.addEventListener('abort', wake)
    this.#sleeping.set(awake, this.now() + milliseconds)
    try {
      await systemClock.sleep(milliseconds, { signal: awake.signal })
    } catch (error) {
      signal?.throwIfAborted()
      if (!awake.signal.aborted) throw error
    } finally {
      signal?.removeEventListener('abort', wake)
      this.#sleeping.delete(awake)
    }
  }

  /** Resolves once somebody sleeps. */
  async untilAsleep(): Promise<void> {
    while (this.#sleeping.size === 0) await turn()
  }

  /** The same clock for those who needn't wait: each of their sleeps moves it. */
  get hasty(): Clock {
    return {
      now: () => this.now(),
      sleep: async (milliseconds, { signal } = {}) => {
        signal?.throwIfAborted()
        this.advance(milliseconds / 1000)
        await turn()
      },
    }
  }

  /** The same clock for a process that has died: it wakes no more. */
  get stopped(): Clock {
    return {
      now: () => this.now(),
      sleep: (_, { signal } = {}) => new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
    }
  }

  protected wake(): void {
    const now = this.now()
    for (const [awake, end] of this.#sleeping) {
      if (end > now) continue
      this.#sleeping.delete(awake)
      awake.abort()
    }
  }
}

/** A clock that goes as the machine's does, and that a test moves forward besides. */
export class RunningClock extends TestClock {
  #offset = 0

  override now(): number {
    return Date.now() + this.#offset
  }

  override advance(seconds: number): void {
    this.#offset += seconds * 1000
    this.wake()
  }
}
