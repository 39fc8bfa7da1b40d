/** Starts runs of jobs. A call that is lost, late or doubled does no harm: a run takes what waits, and a schedule looks for what nobody took. */
export interface Waker {
  /** The names of all kinds of jobs. */
  kinds: readonly string[]
  /** The group of a kind: what does its jobs. On one machine each kind has its own. */
  groupOf(kind: string): string
  /**
   * Starts a run that takes the next job of a group. It begins after the call.
   * @throws WakerUnavailable
   */
  wake(group: string): Promise<void>
}

/** The run may not have been started. */
export class WakerUnavailable extends Error {
  override name = 'WakerUnavailable'
}
