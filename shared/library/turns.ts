import { Busy } from './errors.ts'

export interface TurnLimits {
  /** Pieces of work that are done at a time. */
  atOnce: number
  /** How many wait for their turn. */
  waiting: number
  /** How many of them may come from one source, so that none can fill the queue. */
  waitingPerSource: number
}

/** Seconds after which who was refused may come again. */
const RETRY_AFTER = 1

/** Work that takes much of a process: little of it is done at a time, and of who waits each source has its turn, however many it sent. */
export class Turns {
  readonly #limits: TurnLimits
  /** In the order of their turns; each source's own in the order in which they came. */
  readonly #waiting = new Map<string, (() => void)[]>()
  #running = 0
  #waitingCount = 0

  constructor(limits: TurnLimits) {
    this.#limits = limits
  }

  /** Does the work when it is its turn. @throws Busy at once when too many wait, and whatever the work throws */
  async take<T>(source: string, work: () => Promise<T>): Promise<T> {
    await this.#turn(source)
    try {
      return await work()
    } finally {
      this.#next()
    }
  }

  async #turn(source: string): Promise<void> {
    if (this.#running < this.#limits.atOnce) {
      this.#running += 1
      return
    }
    const own = this.#waiting.get(source) ?? []
    if (this.#waitingCount >= this.#limits.waiting || own.length >= this.#limits.waitingPerSource) throw new Busy(RETRY_AFTER)
    const { promise, resolve } = Promise.withResolvers<void>()
    own.push(resolve)
    this.#waiting.set(source, own)
    this.#waitingCount += 1
    await promise
  }

  /** Hands the turn on. */
  #next(): void {
    const [first] = this.#waiting
    if (!first) {
      this.#running -= 1
      return
    }
    const [source, [begin, ...others]] = first
    this.#waiting.delete(source)
    if (others.length > 0) this.#waiting.set(source, others)
    this.#waitingCount -= 1
    begin?.()
  }
}
