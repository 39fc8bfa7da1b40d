import { Busy } from './errors.ts'

export interface TurnLimits {
  /** Pieces of work that are done at a time, in all and for one source. */
  atOnce: number
  atOncePerSource: number
  /** How many wait for their turn, in all and of one source, so that none can fill the queue. */
  waiting: number
  waitingPerSource: number
}

/** Seconds after which who was refused may come again. */
const RETRY_AFTER = 1

/** Work that takes much of a process: little of it is done at a time, and of who waits each source has its turn, however many it sent. */
export class Turns {
  readonly #limits: TurnLimits
  /** What waits, by source, in the order of their turns; each source's own in the order in which they came. */
  readonly #waiting = new Map<string, (() => void)[]>()
  /** How much is being done, by source. */
  readonly #running = new Map<string, number>()

  constructor(limits: TurnLimits) {
    this.#limits = limits
  }

  /**
   * Does the work when it is its turn.
   * @param left once nobody wants the work any more; what has begun goes on
   * @throws Busy at once when too many wait, the reason of `left`, and whatever the work throws
   */
  async take<T>(source: string, work: () => Promise<T>, left?: AbortSignal): Promise<T> {
    left?.throwIfAborted()
    if (this.#mayBegin(source)) this.#count(source, 1)
    else await this.#turn(source, left)
    try {
      return await work()
    } finally {
      this.#count(source, -1)
      this.#beginNext()
    }
  }

  /** Whether work of another source waits for its turn. */
  othersWait(source: string): boolean {
    return this.#waiting.keys().some((each) => each !== source)
  }

  #mayBegin(source: string): boolean {
    const { atOnce, atOncePerSource } = this.#limits
    return sum(this.#running.values()) < atOnce && (this.#running.get(source) ?? 0) < atOncePerSource
  }

  #count(source: string, change: 1 | -1): void {
    const running = (this.#running.get(source) ?? 0) + change
    if (running === 0) this.#running.delete(source)
    else this.#running.set(source, running)
  }

  async #turn(source: string, left: AbortSignal | undefined): Promise<void> {
    const { waiting, waitingPerSource } = this.#limits
    const own = this.#waiting.get(source) ?? []
    const all = sum(this.#waiting.values().map(({ length }) => length))
    if (all >= waiting || own.length >= waitingPerSource) throw new Busy(RETRY_AFTER)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#waiting.set(source, [...own, resolve])
    const leave = () => {
      this.#setWaiting(source, this.#waiting.get(source)?.filter((each) => each !== resolve) ?? [])
      reject(left?.reason)
    }
    left?.addEventListener('abort', leave)
    await promise.finally(() => left?.removeEventListener('abort', leave))
  }

  #setWaiting(source: string, waiting: (() => void)[]): void {
    if (waiting.length > 0) this.#waiting.set(source, waiting)
    else this.#waiting.delete(source)
  }

  /** Hands the turn on to the first source that may have it; its next turn comes after those of all others. */
  #beginNext(): void {
    const source = this.#waiting.keys().find((each) => this.#mayBegin(each))
    if (source === undefined) return
    const [begin, ...others] = this.#waiting.get(source) ?? []
    this.#waiting.delete(source)
    this.#setWaiting(source, others)
    // Counted here: a newcomer must not take the turn before the work begins.
    this.#count(source, 1)
    begin?.()
  }
}

function sum(numbers: Iterable<number>): number {
  let total = 0
  for (const number of numbers) total += number
  return total
}
