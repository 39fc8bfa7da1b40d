import { MediaLibraryError } from '../../../client/media-library-error.ts'
import { pause } from '../../../client/retries.ts'

/** Tries of what fails for a reason that passes: with the pauses between them a network may be gone for half a minute. */
export const TRIES = 8

/** A part is still being received, or an earlier try is still being answered. */
const PASSING = ['part_in_flight', 'parts_missing', 'idempotency_in_progress']

/** Whether another try may succeed: the network, or a service that is busy. */
const passes = (failure: unknown): boolean =>
  failure instanceof MediaLibraryError &&
  (failure.status === 0 || failure.status === 429 || failure.status >= 500 || PASSING.includes(failure.code))

/** Tries until it succeeds. @throws what the last try threw, the signal's reason */
export async function tryAgain<Result>(work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (failure) {
      if (signal?.aborted || tries === TRIES || !passes(failure)) throw failure
      await pause(tries, 0, signal)
    }
  }
}
