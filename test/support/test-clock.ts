import { setImmediate as turn } from 'node:timers/promises'
import { type Clock, systemClock } from '../../shared/backends/clock/port.ts'

/** A clock that only moves when a test moves it. Who sleeps by it wakes when that is past the end of the sleep. */
export class TestClock implements Clock {
  #ms = Date.UTC(2026, 0, 15, 12)
  /** When each sleep ends, by what ends it. */
  readonly #sleeping = new Map<() => void, number>()

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
    if (milliseconds <= 0) return turn()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const abort = () => reject(signal?.reason)
    signal?.addEventListener('abort', abort)
    this.#sleeping.set(resolve, this.now() + milliseconds)
    try {
      await promise
    } finally {
      this.#sleeping.delete(resolve)
      signal?.removeEventListener('abort', abort)
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

  protected wake(): void {
    const now = this.now()
    for (const [wake, end] of this.#sleeping) {
      if (end > now) continue
      this.#sleeping.delete(wake)
      wake()
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

  override async sleep(milliseconds: number, { signal }: { signal?: AbortSignal } = {}): Promise<void> {
    const awake = new AbortController()
    const ending = { signal: signal ? AbortSignal.any([awake.signal, signal]) : awake.signal }
    try {
      await Promise.race([super.sleep(milliseconds, ending), systemClock.sleep(milliseconds, ending)])
    } finally {
      awake.abort()
    }
  }
}
