import { text } from 'node:stream/consumers'
import * as z from 'zod'
import type { FailedRuns } from '../../homes/failed-runs.ts'

/** A record of the table's stream. */
export type StreamRecord = z.infer<typeof StreamRecord>
const StreamRecord = z.looseObject({ eventID: z.string() })

const Payload = z.object({ Records: z.array(StreamRecord).min(1) })

/**
 * What Lambda keeps of an invocation that it gave up, as far as it is read here. The payload is the function's event: a value, or the text of one, the
 * guide doesn't say. Source: AWS Lambda Developer Guide, "Retain discarded records for a DynamoDB event source".
 */
const Invocation = z.object({
  requestContext: z.object({ functionArn: z.string() }),
  payload: z.preprocess((payload) => (typeof payload === 'string' ? jsonValue(payload) : payload), Payload),
})

/** Changes that a consumer gave up, by the keys of the objects that hold them. */
export interface GivenUp {
  functionArn: string
  records: readonly (readonly [key: string, record: StreamRecord])[]
}

/** As many records as Lambda gives a consumer at a time, and bytes: an invocation takes 6 MB. */
const MOST_RECORDS = 100
const MOST_BYTES = 4_000_000

/**
 * All changes that were given up, those of a consumer together, and of a shard in their order: keys are `aws/lambda/<mapping>/<shard>/<time>`.
 * @param unreadable gets the keys of objects that hold no changes
 */
export async function* givenUpChanges(changes: FailedRuns['changes'], unreadable: (key: string) => void): AsyncGenerator<GivenUp> {
  let batch: { functionArn: string; records: [string, StreamRecord][]; bytes: number } | undefined
  for await (const { key, bytes } of objectsIn(changes)) {
    const { success, data } = Invocation.safeParse(jsonValue(await text((await changes.get(key)).stream)))
    if (!success) {
      unreadable(key)
      continue
    }
    const { requestContext, payload } = data
    const { functionArn } = requestContext
    const isFull = batch && (batch.records.length + payload.Records.length > MOST_RECORDS || batch.bytes + bytes > MOST_BYTES)
    if (batch && (isFull || batch.functionArn !== functionArn)) {
      yield batch
      batch = undefined
    }
    batch ??= { functionArn, records: [], bytes: 0 }
    batch.bytes += bytes
    for (const record of payload.Records) batch.records.push([key, record])
  }
  if (batch) yield batch
}

async function* objectsIn(changes: FailedRuns['changes']) {
  let cursor: string | undefined
  do {
    const page = await changes.list('', { ...(cursor !== undefined && { cursor }) })
    yield* page.objects
    cursor = page.cursor
  } while (cursor !== undefined)
}

/** The value of a JSON text; undefined where it is none. */
export function jsonValue(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
