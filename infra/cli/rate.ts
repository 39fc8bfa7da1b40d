import { setTimeout as sleep } from 'node:timers/promises'

/** Holds transfers to a number of bytes a second, on average. */
export class Rate {
  readonly #bytesPerMs: number
  #freeAt = 0

  constructor(bytesPerSecond: number) {
    this.#bytesPerMs = bytesPerSecond / 1000
  }

  /** Waits until some bytes may go. */
  async take(bytes: number, signal: AbortSignal): Promise<void> {
    const now = performance.now()
    const begin = Math.max(now, this.#freeAt)
    this.#freeAt = begin + bytes / this.#bytesPerMs
    if (begin > now) await sleep(begin - now, undefined, { signal })
  }
}
