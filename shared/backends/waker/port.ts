/** Starts runs of jobs. Lost, late or repeated calls do no harm: a run takes whatever waits, and a schedule finds jobs that no run took. */
export interface Waker {
  /** The names of all kinds of jobs. */
  kinds: readonly string[]
  /** The group that runs a kind's jobs. On one machine each kind is its own group. */
  groupOf(kind: string): string
  /** Starts a run that takes the next job of a group. The run begins after the call. @throws WakerUnavailable */
  wake(group: string): Promise<void>
}

/** The run may not have been started. */
export class WakerUnavailable extends Error {
  override name = 'WakerUnavailable'
}
