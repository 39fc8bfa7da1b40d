/**
 * How long work of the embedded backend that failed too often rests before it is tried again, in milliseconds: what made it fail, a full
 * disk for one, may be mended by then. (On AWS an operator redrives the dead-letter queue.)
 */
export const REST_MILLISECONDS = 15 * 60_000

/** What rests of one kind. */
export interface Resting {
  jobs: number
  /** When the first of them is tried again, in UNIX milliseconds; undefined when there is none. */
  until: number | undefined
}
