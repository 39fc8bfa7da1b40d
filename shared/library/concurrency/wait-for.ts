import type { Clock } from '../../backends/clock/port.ts'
import { type Backoff, backoff } from '../../backoff.ts'

/** A check whether so many milliseconds are over. */
export function timer(milliseconds: number): () => boolean {
  const end = performance.now() + milliseconds
  return () => performance.now() >= end
}

const PAUSES: Backoff = { first: 5, longest: 250 }

/** Looks for something until it is there. @returns undefined where it isn't when the time is over */
export async function waitFor<Found>(
  clock: Clock,
  look: () => Promise<Found | undefined>,
  isOver: () => boolean,
  pauses = PAUSES,
): Promise<Found | undefined> {
  for (let looks = 1; ; looks++) {
    const found = await look()
    if (found !== undefined || isOver()) return found
    await clock.sleep(backoff(looks, pauses))
  }
}
