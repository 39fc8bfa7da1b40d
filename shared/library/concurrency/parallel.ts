/**
 * Works on values in parallel.
 * @throws the first error, after running work has ended. No further work starts
 */
export async function inParallel<Value>(values: Iterable<Value>, most: number, work: (value: Value) => Promise<void>): Promise<void> {
  const running = Iterator.from(values).map(work)
  // All workers share one iterator. A failure closes it, so that the others end, too.
  const worker = async () => {
    for (const each of running) await each
  }
  const ends = await Promise.allSettled(Array.from({ length: most }, worker))
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}
