/**
 * Works on values as they come, several at a time.
 * @throws the first error, after running work has ended: nothing more is begun then
 */
export async function inParallel<Value>(values: Iterable<Value>, most: number, work: (value: Value) => Promise<void>): Promise<void> {
  const running = Iterator.from(values).map(work)
  // All workers take from one iterator. The failure of one closes it, so that the others end, too.
  const worker = async () => {
    for (const each of running) await each
  }
  const ends = await Promise.allSettled(Array.from({ length: most }, worker))
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}
