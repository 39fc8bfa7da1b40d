/** Does something with each of many things, some at a time. The first failure ends it. */
export async function forEachParallel<Each>(
  things: AsyncIterable<Each> | Iterable<Each>,
  count: number,
  work: (each: Each) => Promise<void>,
): Promise<void> {
  const left = Symbol.asyncIterator in things ? things[Symbol.asyncIterator]() : things[Symbol.iterator]()
  let isOver = false
  const worker = async () => {
    while (!isOver) {
      const { done, value } = await left.next()
      if (done) return
      await work(value)
    }
  }
  const workers = Array.from({ length: count }, worker)
  try {
    await Promise.all(workers)
  } finally {
    isOver = true
    await Promise.allSettled(workers)
  }
}

/** Lets a number of things happen at a time, and others wait. */
export class Slots {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(count: number) {
    this.#free = count
  }

  async use<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#free > 0) this.#free--
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#free++
    }
  }
}
