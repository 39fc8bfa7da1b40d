import { setTimeout as sleep } from 'node:timers/promises'

/** Milliseconds that transfers may be ahead: shorter waits would take longer than they are. */
const AHEAD = 10
/** Bytes a second that a transfer has at least, four times what the service asks for. */
const LEAST = 4_096

const machine = { now: () => performance.now(), sleep: (milliseconds: number) => sleep(milliseconds) as Promise<void> }

/** Holds all transfers of a command together to a number of bytes a second, from the first byte on. */
export class Rate {
  readonly #bytesPerSecond: number
  /** Bytes that pass at a time: those of a twentieth of a second. */
  readonly #piece: number
  readonly #clock
  #freeAt = 0

  constructor(bytesPerSecond: number, clock = machine) {
    this.#bytesPerSecond = bytesPerSecond
    this.#piece = Math.min(2 ** 16, Math.max(64, Math.floor(bytesPerSecond / 20)))
    this.#clock = clock
  }

  /** How many of the wanted transfers it suffices for, at least one. */
  transfers(wanted: number): number {
    return Math.max(1, Math.min(wanted, Math.floor(this.#bytesPerSecond / LEAST)))
  }

  /** Passes bytes on as they may go. */
  async *passed<Chunk extends Uint8Array>(chunks: AsyncIterable<Chunk>): AsyncGenerator<Chunk> {
    for await (const chunk of chunks) {
      for (let from = 0; from < chunk.length; from += this.#piece) {
        const piece = chunk.subarray(from, from + this.#piece) as Chunk
        await this.#wait(piece.length)
        yield piece
      }
    }
  }

  async #wait(bytes: number): Promise<void> {
    const now = this.#clock.now()
    this.#freeAt = Math.max(now, this.#freeAt) + (bytes * 1000) / this.#bytesPerSecond
    const wait = this.#freeAt - now
    if (wait >= AHEAD) await this.#clock.sleep(wait)
  }
}
