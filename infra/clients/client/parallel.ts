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
