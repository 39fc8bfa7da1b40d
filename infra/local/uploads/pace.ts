import type { Readable } from 'node:stream'

/** How slowly an upload may come in. Who sends nothing, or hardly anything, must not hold a connection. */
export interface Pace {
  /** Milliseconds for everything before the file. */
  beforeFileMs: number
  /** From then on at least `windowBytes` in each `windowMs` milliseconds. */
  windowMs: number
  windowBytes: number
}

/** The slowest modem is five times as fast. */
export const PACE: Pace = { beforeFileMs: 30_000, windowMs: 60_000, windowBytes: 60 * 1024 }

/** Watches one upload. */
export class PaceWatch {
  readonly #body: Readable
  readonly #pace: Pace
  readonly #onSlow: () => void
  #timer: NodeJS.Timeout
  #bytes = 0

  /** @param onSlow called when the body keeps its sender's pace no more */
  constructor(body: Readable, pace: Pace, onSlow: () => void) {
    this.#body = body
    this.#pace = pace
    this.#onSlow = onSlow
    this.#timer = setTimeout(onSlow, pace.beforeFileMs)
  }

  /** So many bytes came in. */
  received(bytes: number): void {
    this.#bytes += bytes
  }

  /** Everything before the file is there. */
  fileBegins(): void {
    this.stop()
    this.#bytes = 0
    this.#timer = setInterval(() => this.#judge(), this.#pace.windowMs)
  }

  /** Whatever else comes does not matter any more. */
  stop(): void {
    clearTimeout(this.#timer)
  }

  #judge(): void {
    // A body that is paused, or all there, waits for our disk, not for its sender.
    const waitsForSender = !this.#body.isPaused() && !this.#body.readableEnded
    if (waitsForSender && this.#bytes < this.#pace.windowBytes) this.#onSlow()
    this.#bytes = 0
  }
}
