import type { Clock } from '../../backends/clock/port.ts'

/** A check whether so many milliseconds are over. */
export function timer(milliseconds: number): () => boolean {
  const end = performance.now() + milliseconds
  return () => performance.now() >= end
}

/** Poll interval in ms. It doubles with each look, up to the longest. */
const PAUSES: Pauses = [5, 250]
type Pauses = readonly [shortest: number, longest: number]

/** Looks for something until it is there. @returns undefined where it isn't when the time is over */
export async function waitFor<Found>(
  clock: Clock,
  look: () => Promise<Found | undefined>,
  isOver: () => boolean,
  [shortest, longest] = PAUSES,
): Promise<Found | undefined> {
  for (let pause = shortest; ; pause = Math.min(2 * pause, longest)) {
    const found = await look()
    if (found !== undefined || isOver()) return found
    await clock.sleep(pause)
  }
}
