import { Busy } from '../errors.ts'

export interface TurnLimits {
  /** Parallelism, in all and per source. */
  atOnce: number
  atOncePerSource: number
  /** Longest queue, in all and per source, so that no source fills it. */
  waiting: number
  waitingPerSource: number
}

/** `Retry-After` in seconds. */
const RETRY_AFTER = 1

/** Limits concurrent heavy work, round-robin over sources. */
export class Turns {
  readonly #limits: TurnLimits
  /** Queues by source, in the order of turns. Each queue is first in, first out. */
  readonly #waiting = new Map<string, (() => void)[]>()
  /** Number of running pieces, by source. */
  readonly #running = new Map<string, number>()

  constructor(limits: TurnLimits) {
    this.#limits = limits
  }

  /**
   * Runs the work in its turn.
   * @param left aborted once no client waits. Removes waiting work; running work continues
   * @throws Busy at once when the queue is full, the reason of `left`, and the errors of the work
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

  /** Whether work of another source waits. */
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

  /** Starts the next work of the first source below its limit, and moves that source to the end. */
  #beginNext(): void {
    const source = this.#waiting.keys().find((each) => this.#mayBegin(each))
    if (source === undefined) return
    const [begin, ...others] = this.#waiting.get(source) ?? []
    this.#waiting.delete(source)
    this.#setWaiting(source, others)
    // Counted here, so that a newcomer can't take the turn before the work begins.
    this.#count(source, 1)
    begin?.()
  }
}

function sum(numbers: Iterable<number>): number {
  let total = 0
  for (const number of numbers) total += number
  return total
}
