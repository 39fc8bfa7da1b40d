import * as z from 'zod'
import type { FailedRuns, Letter } from '../../homes/failed-runs.ts'
import { givenUpChanges, jsonValue, type StreamRecord } from './kept-changes.ts'

/** What became of failed runs: how many. */
export interface Retried {
  /** Changes of the table that their consumers have handled now. */
  changes: number
  /** Messages of services that are noted now. */
  messages: number
  /** Letters of scheduled runs, which are removed: the next run does the same. */
  schedules: number
  /** Changes and messages that failed again. They stay. */
  failed: number
  /** Objects and letters of which nothing is known. They stay. */
  unknown: number
}

/**
 * Has functions do what they failed on, and removes what is done. Changes come first, those of a shard in their order. Idempotent, as consumers are:
 * what was interrupted is repeated. @throws when a function can't be started
 */
export async function retryFailedRuns(runs: FailedRuns): Promise<Retried> {
  const retried: Retried = { changes: 0, messages: 0, schedules: 0, failed: 0, unknown: 0 }
  await retryChanges(runs, retried)
  await settleLetters(runs, retried)
  return retried
}

async function retryChanges({ changes, run }: FailedRuns, retried: Retried): Promise<void> {
  const consumers = new Map<string, Consumer>()
  for await (const { functionArn, records } of givenUpChanges(changes, () => retried.unknown++)) {
    const consumer = consumers.get(functionArn) ?? new Consumer((event) => run(functionArn, event))
    consumers.set(functionArn, consumer)
    const failed = new Set(await consumer.handle(records.map(([, record]) => record)))
    const stay = new Set(records.filter(([, record]) => failed.has(record)).map(([key]) => key))
    const done = new Set(records.map(([key]) => key)).difference(stay)
    if (done.size > 0) await changes.delete([...done])
    retried.changes += records.length - failed.size
    retried.failed += failed.size
  }
}

/** Records in a row that fail alone: then it is the consumer that fails, not the records. */
const MOST_IN_A_ROW = 10

const Answer = z.object({ batchItemFailures: z.array(z.unknown()) })

/** A consumer of changes. */
class Consumer {
  readonly #run: (event: unknown) => ReturnType<FailedRuns['run']>
  #inARow = 0

  constructor(run: (event: unknown) => ReturnType<FailedRuns['run']>) {
    this.#run = run
  }

  /** Handles records in halves where it fails, as Lambda has it do. @returns those that failed */
  async handle(records: readonly StreamRecord[]): Promise<StreamRecord[]> {
    if (this.#inARow >= MOST_IN_A_ROW) return [...records]
    const ended = await this.#run({ Records: records })
    if (ended && Answer.parse(ended.answer).batchItemFailures.length === 0) {
      this.#inARow = 0
      return []
    }
    if (records.length === 1) {
      this.#inARow++
      return [...records]
    }
    const middle = Math.ceil(records.length / 2)
    return [...(await this.handle(records.slice(0, middle))), ...(await this.handle(records.slice(middle)))]
  }
}

async function settleLetters(runs: FailedRuns, retried: Retried): Promise<void> {
  const { letters } = runs
  const staying = new Map<string, Letter>()
  for (let some = await letters.receive(); some.length > 0; some = await letters.receive()) {
    for (const letter of some) {
      // One that is shown again meanwhile has another receipt.
      if (!staying.has(letter.id) && (await isSettled(runs, letter, retried))) await letters.remove(letter)
      else staying.set(letter.id, letter)
    }
  }
  for (const letter of staying.values()) await letters.giveBack(letter)
}

/** Events of EventBridge. */
const Event = z.discriminatedUnion('detail-type', [
  z.object({ 'detail-type': z.literal('Object Created'), detail: z.object({ object: z.object({ key: z.string() }) }) }),
  // Source: EventBridge Scheduler's event for targets that get no input of their own.
  z.object({ 'detail-type': z.literal('Scheduled Event') }),
])
const ServiceMessage = z.object({ source: z.enum(['aws.mediaconvert', 'aws.ses']) })

/** Does what a letter tells of. @returns whether the letter may go */
async function isSettled({ changes, serviceConsumer, run }: FailedRuns, { body }: Letter, retried: Retried): Promise<boolean> {
  const message = jsonValue(body)
  const { data: event } = Event.safeParse(message)
  // A notice goes with its object.
  if (event?.['detail-type'] === 'Object Created') return (await changes.head(event.detail.object.key)) === undefined
  if (event) {
    retried.schedules++
    return true
  }
  if (!ServiceMessage.safeParse(message).success) {
    retried.unknown++
    return false
  }
  const isDone = (await run(serviceConsumer, message)) !== undefined
  retried[isDone ? 'messages' : 'failed']++
  return isDone
}
