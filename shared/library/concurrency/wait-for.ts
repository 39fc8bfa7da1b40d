import type { Clock } from '../../backends/clock/port.ts'
import { type Backoff, backoff } from '../../backoff.ts'

/** Returns a check whether so many milliseconds have passed since the call. */
export function timer(milliseconds: number): () => boolean {
  const end = performance.now() + milliseconds
  return () => performance.now() >= end
}

const PAUSES: Backoff = { first: 5, longest: 250 }

/** Polls until `look` finds something, or time is over. @returns what it found; undefined when time is over */
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
