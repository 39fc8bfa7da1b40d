import type { Readable } from 'node:stream'

/** How slowly an upload may arrive. A client that sends next to nothing must not hold a connection. */
export interface Pace {
  /** Time for everything before the file, in milliseconds. */
  beforeFileMs: number
  /** From then on at least `windowBytes` in each `windowMs` milliseconds. */
  windowMs: number
  windowBytes: number
}

/** 1 KiB a second: a modem is several times as fast. */
export const PACE: Pace = { beforeFileMs: 30_000, windowMs: 60_000, windowBytes: 60 * 1024 }

/** What arrives: it is paused while what has arrived is written. */
type Arriving = Pick<Readable, 'isPaused' | 'readableEnded'>

/** Watches one upload. */
export class PaceWatch {
  readonly #body: Arriving
  readonly #pace: Pace
  readonly #onSlow: () => void
  #timer: NodeJS.Timeout
  #bytes = 0

  /** @param onSlow called when the body arrives too slowly */
  constructor(body: Arriving, pace: Pace, onSlow: () => void) {
    this.#body = body
    this.#pace = pace
    this.#onSlow = onSlow
    this.#timer = setTimeout(onSlow, pace.beforeFileMs)
  }

  /** Counts bytes that arrived. */
  received(bytes: number): void {
    this.#bytes += bytes
  }

  /** Everything before the file has arrived. */
  fileBegins(): void {
    this.stop()
    this.#bytes = 0
    this.#timer = setInterval(() => this.#judge(), this.#pace.windowMs)
  }

  /** Ends the watch. */
  stop(): void {
    clearTimeout(this.#timer)
  }

  #judge(): void {
    // A body that is paused, or has ended, waits for this machine's disk, not for its sender.
    const waitsForSender = !this.#body.isPaused() && !this.#body.readableEnded
    if (waitsForSender && this.#bytes < this.#pace.windowBytes) this.#onSlow()
    this.#bytes = 0
  }
}
