import { Busy } from '../errors.ts'
import { SourceSlots } from './source-slots.ts'

export interface TurnLimits {
  /** Parallelism, in total and per source. */
  atOnce: number
  atOncePerSource: number
  /** Longest queue, in total and per source, so that no source fills it. */
  waiting: number
  waitingPerSource: number
}

/** `Retry-After` in seconds. */
const RETRY_AFTER = 1

/** Limits concurrent heavy work, round-robin over sources. */
export class Turns {
  readonly #running: SourceSlots
  readonly #waiting: SourceSlots
  /** By source, in the order of turns. Each queue is first in, first out. */
  readonly #queues = new Map<string, (() => void)[]>()

  constructor({ atOnce, atOncePerSource, waiting, waitingPerSource }: TurnLimits) {
    this.#running = new SourceSlots({ total: atOnce, perSource: atOncePerSource })
    this.#waiting = new SourceSlots({ total: waiting, perSource: waitingPerSource })
  }

  /**
   * Runs the work in its turn.
   * @param left aborted when the client has left. Then waiting work is dropped; running work continues
   * @throws Busy at once when the queue is full, the reason of `left`, and the errors of the work
   */
  async take<T>(source: string, work: () => Promise<T>, left?: AbortSignal): Promise<T> {
    left?.throwIfAborted()
    if (!this.#running.take(source)) await this.#turn(source, left)
    try {
      return await work()
    } finally {
      this.#running.release(source)
      this.#beginNext()
    }
  }

  /** Whether work of another source waits. */
  othersWait(source: string): boolean {
    return this.#queues.keys().some((each) => each !== source)
  }

  async #turn(source: string, left: AbortSignal | undefined): Promise<void> {
    if (!this.#waiting.take(source)) throw new Busy(RETRY_AFTER)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#queues.set(source, [...(this.#queues.get(source) ?? []), resolve])
    const leave = () => {
      const others = this.#queues.get(source)?.filter((each) => each !== resolve) ?? []
      if (others.length > 0) this.#queues.set(source, others)
      else this.#queues.delete(source)
      reject(left?.reason)
    }
    left?.addEventListener('abort', leave)
    await promise.finally(() => {
      left?.removeEventListener('abort', leave)
      this.#waiting.release(source)
    })
  }

  /** Starts the next work of the first source below its limit, and moves that source to the end. */
  #beginNext(): void {
    // The slot is taken here, so that a newcomer can't take it before the work begins.
    const source = this.#queues.keys().find((each) => this.#running.take(each))
    if (source === undefined) return
    const [begin, ...others] = this.#queues.get(source) ?? []
    this.#queues.delete(source)
    if (others.length > 0) this.#queues.set(source, others)
    begin?.()
  }
}
