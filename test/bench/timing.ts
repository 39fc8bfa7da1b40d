/** Runs `work` so many times, one after the other. @returns how long each took, in milliseconds, the shortest first */
export async function timed(rounds: number, work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const started = performance.now()
    await work()
    times.push(performance.now() - started)
  }
  return sorted(times)
}

/** The numbers, the smallest first. */
export function sorted(values: readonly number[]): number[] {
  return values.toSorted((a, b) => a - b)
}

/** @param ordered at least one number, the smallest first. @param share 0.5 for the median */
export function percentile(ordered: readonly number[], share: number): number {
  return ordered[Math.floor(share * (ordered.length - 1))]!
}

/** The median of numbers in any order. */
export function median(values: readonly number[]): number {
  return percentile(sorted(values), 0.5)
}
