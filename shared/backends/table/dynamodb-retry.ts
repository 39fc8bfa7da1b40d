import { jitteredBackoff } from '../../backoff.ts'
import { timeLeft } from '../../deadline.ts'
import { systemClock } from '../clock/port.ts'
import { ConditionFailed, ItemTooLarge, TableUnavailable, WriteConflict } from './port.ts'

/** How long a call may be repeated in all, in milliseconds; less where what it is a part of has less left. */
const BUDGET = 8000
const PAUSES = { first: 25, longest: 1000 }

/**
 * The effect of repeating a request whose answer was lost. DynamoDB's SDK repeats every request: an increment may then count twice, and a
 * conditional write may fail because its first attempt succeeded. So this adapter repeats requests itself.
 * - `harmless`: reads, and transactions, which have a token by which DynamoDB applies them once
 * - `doubtful`: other writes. A repetition does no harm, but its condition may fail because of the first attempt
 * - `wrong`: increments
 */
type Repetition = 'harmless' | 'doubtful' | 'wrong'

/**
 * Sends until it succeeds, fails for good, or time is up.
 * @param operations names of what is sent, in its order, for `ConditionFailed`
 * @throws the port's errors
 */
export async function persistently<T>(
  send: () => Promise<T>,
  repetition: Repetition,
  operations: readonly string[] = [],
  budget = BUDGET,
): Promise<T> {
  const retries = new RetryBudget(budget)
  let answerLost = false
  for (;;) {
    try {
      return await send()
    } catch (error) {
      const failure = failureOf(error, operations)
      if (failure.kind === 'lost') {
        answerLost = true
        if (repetition === 'wrong') throw failure.error
      }
      if (failure.kind === 'final' && answerLost && repetition === 'doubtful' && failure.error instanceof ConditionFailed)
        throw new TableUnavailable('an answer was lost, the write may have happened', { cause: error })
      if (failure.kind === 'final' || !(await retries.pause())) throw failure.error
    }
  }
}

/** Pauses between attempts, within a budget of milliseconds and the time that is left. */
export class RetryBudget {
  readonly #end: number
  #failed = 0

  constructor(budget = BUDGET) {
    this.#end = performance.now() + Math.min(budget, timeLeft())
  }

  /** Waits before the next attempt. @returns false, at once, when that would come too late */
  async pause(): Promise<boolean> {
    const pause = jitteredBackoff(++this.#failed, PAUSES)
    if (performance.now() + pause > this.#end) return false
    await systemClock.sleep(pause)
    return true
  }
}

/** A failed attempt. `refused`: a retry may succeed. `lost`: it may have happened. The port throws `error` after the last attempt. */
interface Failure {
  kind: 'refused' | 'lost' | 'final'
  error: Error
}

const THROTTLED = new Set(['ProvisionedThroughputExceededException', 'RequestLimitExceeded', 'ThrottlingException'])
const THROTTLED_IN_TRANSACTION = new Set(['ProvisionedThroughputExceeded', 'ThrottlingError'])

function failureOf(thrown: unknown, operations: readonly string[]): Failure {
  const error = thrown as SdkError
  if (THROTTLED.has(error.name)) return { kind: 'refused', error: unavailable(error) }
  switch (error.name) {
    case 'TransactionCanceledException':
      return cancellation(error, operations)
    case 'TransactionConflictException':
      return { kind: 'refused', error: new WriteConflict(error.message, { cause: error }) }
    case 'TransactionInProgressException':
      return { kind: 'lost', error: unavailable(error) }
    case 'ConditionalCheckFailedException':
      return { kind: 'final', error: new ConditionFailed(operations) }
    case 'ValidationException':
      return { kind: 'final', error: invalid(error) }
  }
  const status = error.$metadata?.httpStatusCode
  const connectionBroke = status === undefined && (error.code !== undefined || error.name === 'TimeoutError')
  if (connectionBroke || (status !== undefined && status >= 500)) return { kind: 'lost', error: unavailable(error) }
  return { kind: 'final', error }
}

/** The reasons come in the order of the operations. */
function cancellation(error: SdkError, operations: readonly string[]): Failure {
  const reasons = error.CancellationReasons ?? []
  const failed = operations.filter((_, position) => reasons[position]?.Code === 'ConditionalCheckFailed')
  if (failed.length > 0) return { kind: 'final', error: new ConditionFailed(failed) }
  const mistake = reasons.find(({ Code }) => Code === 'ValidationError')
  if (mistake) return { kind: 'final', error: invalid({ ...error, message: mistake.Message ?? error.message }) }
  if (reasons.some(({ Code }) => THROTTLED_IN_TRANSACTION.has(Code ?? ''))) return { kind: 'refused', error: unavailable(error) }
  return { kind: 'refused', error: new WriteConflict(error.message, { cause: error }) }
}

function invalid(error: SdkError): Error {
  const { message } = error
  return /item size/i.test(message) ? new ItemTooLarge(message, { cause: error }) : new TypeError(message, { cause: error })
}

function unavailable(error: SdkError): Error {
  return new TableUnavailable(`${error.name}: ${error.message}`, { cause: error })
}

/** The used part of the SDK's exceptions and of Node's network errors (which have a `code`). */
interface SdkError extends Error {
  code?: string
  $metadata?: { httpStatusCode?: number }
  CancellationReasons?: { Code?: string; Message?: string }[]
}
