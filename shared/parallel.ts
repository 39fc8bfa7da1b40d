/**
 * Works on values in parallel. Takes the next value when fewer than `most` are in progress.
 * @param most parallelism
 * @throws the first error, after running work has ended. No further work starts
 */
export async function inParallel<Value>(
  values: Iterable<Value> | AsyncIterable<Value>,
  most: number,
  work: (value: Value) => Promise<void>,
): Promise<void> {
  const running = new Set<Promise<void>>()
  const failures: unknown[] = []
  const run = async (value: Value) => {
    try {
      await work(value)
    } catch (reason) {
      failures.push(reason)
    }
  }
  try {
    for await (const value of values) {
      if (failures.length > 0) break
      const ended = run(value).finally(() => running.delete(ended))
      running.add(ended)
      if (running.size >= most) await Promise.race(running)
      if (failures.length > 0) break
    }
  } finally {
    await Promise.all(running)
  }
  if (failures.length > 0) throw failures[0]
}

/** Limits parallelism. Others wait, first in, first out. */
export class Semaphore {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(count: number) {
    this.#free = count
  }

  /** Waits for its turn. */
  async acquire(): Promise<void> {
    if (this.#free > 0) this.#free--
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  release(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#free++
  }

  async use<Result>(work: () => Promise<Result>): Promise<Result> {
    await this.acquire()
    try {
      return await work()
    } finally {
      this.release()
    }
  }
}
