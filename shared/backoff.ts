/** Pauses between attempts, in milliseconds. They double up to the longest. */
export interface Backoff {
  first: number
  longest: number
}

/** Milliseconds to wait after this many failed attempts. */
export const backoff = (failed: number, { first, longest }: Backoff): number => Math.min(longest, first * 2 ** (failed - 1))

/** The same with full jitter, so that clients that fail together don't come again together. */
export const jitteredBackoff = (failed: number, pauses: Backoff): number => Math.random() * backoff(failed, pauses)
