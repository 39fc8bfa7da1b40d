import { text } from 'node:stream/consumers'
import * as z from 'zod'
import type { FailedRuns, Letter } from '../../homes/failed-runs.ts'

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

/** Has consumers handle what they gave up. What they still fail on becomes jobs; where one dies of it, it stays. */
async function retryChanges({ changes, run }: FailedRuns, retried: Retried): Promise<void> {
  for await (const { key } of objectsIn(changes)) {
    const { success, data } = Invocation.safeParse(jsonValue(await text((await changes.get(key)).stream)))
    if (!success) {
      retried.unknown++
      continue
    }
    const { requestContext, payload } = data
    const isDone = await run(requestContext.functionArn, payload)
    if (isDone) await changes.delete([key])
    retried[isDone ? 'changes' : 'failed'] += payload.Records.length
  }
}

/** Those of a shard are in their order: keys are `aws/lambda/<mapping>/<shard>/<time>`. */
async function* objectsIn(changes: FailedRuns['changes']) {
  let cursor: string | undefined
  do {
    const page = await changes.list('', { ...(cursor !== undefined && { cursor }) })
    yield* page.objects
    cursor = page.cursor
  } while (cursor !== undefined)
}

const Payload = z.looseObject({ Records: z.array(z.unknown()).min(1) })

/**
 * What Lambda keeps of an invocation that it gave up, as far as it is read here. The payload is the function's event: a value, or the text of one, the
 * guide doesn't say. Source: AWS Lambda Developer Guide, "Retain discarded records for a DynamoDB event source".
 */
const Invocation = z.object({
  requestContext: z.object({ functionArn: z.string() }),
  payload: z.preprocess((payload) => (typeof payload === 'string' ? jsonValue(payload) : payload), Payload),
})

/** The value of a JSON text; undefined where it is none. */
function jsonValue(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
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
  const isDone = await run(serviceConsumer, message)
  retried[isDone ? 'messages' : 'failed']++
  return isDone
}
