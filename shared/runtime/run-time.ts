/** Milliseconds after which a scheduled run leaves the rest to the next one; well within its function's time. */
export const LONGEST_SCHEDULED_RUN = 10 * 60 * 1000

/** @returns whether so many milliseconds have passed since this call */
export function outOfTimeAfter(milliseconds: number): () => boolean {
  const end = performance.now() + milliseconds
  return () => performance.now() > end
}
