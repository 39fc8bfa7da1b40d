import type { CompanyId } from '../../vocabulary/ids.ts'

/** Starts runs of jobs. A call that is lost, late or doubled does no harm: a run takes what waits, and a schedule looks for what nobody took. */
export interface Waker {
  /**
   * Starts a run that takes the next job of a kind.
   * @param after the company that had its turn last
   * @throws WakerUnavailable
   */
  wake(kind: string, after?: CompanyId): Promise<void>
}

/** A waker that knows all kinds of jobs. */
export interface KindWaker extends Waker {
  /** Their names. */
  kinds: readonly string[]
}

/** The run may not have been started. */
export class WakerUnavailable extends Error {
  override name = 'WakerUnavailable'
}
