/**
 * Works on values as they come, several at a time, and gives the results in their order. No more values are asked for than are worked on.
 * @throws what the values or the work throw, after running work has ended
 */
export async function* ordered<Value, Result>(
  values: Iterable<Value>,
  atOnce: number,
  work: (value: Value) => Promise<Result>,
): AsyncGenerator<Result> {
  const running: Promise<Result>[] = []
  try {
    for (const value of values) {
      const result = work(value)
      // It is awaited later: until then its failure is no unhandled one.
      result.catch(() => undefined)
      running.push(result)
      if (running.length === atOnce) yield await running.shift()!
    }
    while (running.length > 0) yield await running.shift()!
  } finally {
    await Promise.allSettled(running)
  }
}
