/**
 * Milliseconds until the embedded backend retries a dead letter. The cause, such as a full disk, may be repaired by then. On AWS an operator
 * redrives the dead-letter queue.
 */
export const DEAD_LETTER_PAUSE = 15 * 60_000

/** Which dead letters are tried again: all, or those that have waited for their pause. */
export type DeadLetterChoice = 'all' | 'due'

/** The dead letters of one kind. */
export interface DeadLetterCount {
  count: number
  /** When the first of them is tried again, in UNIX milliseconds; undefined when there is none. */
  nextRetry: number | undefined
}
