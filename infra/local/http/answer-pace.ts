import type { Socket } from 'node:net'
import type { Pace } from './uploads/pace.ts'

/** Bytes that a client had taken at a time in milliseconds. */
interface Mark {
  at: number
  bytes: number
}

/** Windows in a row in which a client may take too little: systems take bytes from a program in large pieces, and hand them on slowly. */
const SLOW_WINDOWS = 2

/** Watches how fast the client of a connection takes each answer. */
export class AnswerPace {
  readonly #socket: Socket
  /** Where this window began, and the one before it. */
  #window: Mark = { at: 0, bytes: 0 }
  #before: Mark = this.#window
  #slowWindows = 0

  constructor(socket: Socket) {
    this.#socket = socket
  }

  /** @param now in milliseconds, of any clock */
  answerBegins(now: number): void {
    this.#window = { at: now, bytes: taken(this.#socket) }
    this.#before = this.#window
    this.#slowWindows = 0
  }

  /** Bytes per millisecond that the client has lately taken. */
  rate(now: number): number {
    return (taken(this.#socket) - this.#before.bytes) / (now - this.#before.at + 1_000)
  }

  /**
   * Judges windows that are over.
   * @param isCrowded whether others need the slot: then one window in which nothing is taken is enough
   * @returns whether the client is slower than it may be
   */
  isTooSlow(now: number, { windowMs, windowBytes }: Pace, isCrowded: boolean): boolean {
    if (now - this.#window.at < windowMs) return false
    const bytes = taken(this.#socket)
    // Where all is taken, it is the server that is slow.
    const isWaiting = this.#socket.writableLength > 0
    const took = bytes - this.#window.bytes
    this.#slowWindows = isWaiting && took < windowBytes ? this.#slowWindows + 1 : 0
    this.#before = this.#window
    this.#window = { at: now, bytes }
    return this.#slowWindows >= SLOW_WINDOWS || (isCrowded && isWaiting && took === 0)
  }
}

/** Bytes that the system has taken of all that was written. It takes a piece of an answer (send-answer.ts) whole or not at all. */
function taken({ bytesWritten, writableLength }: Socket): number {
  return bytesWritten - writableLength
}
