import { marshall } from '@aws-sdk/util-dynamodb'
import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda'
import type { Change } from '../../shared/backends/table/port.ts'
import { TestClock } from './test-clock.ts'

/** The properties of an event source mapping that say when it gives up. */
export interface Mapping {
  BatchSize?: number
  MaximumRetryAttempts: number
  MaximumRecordAgeInSeconds?: number
}

/** What a function's start is refused with, where its account has no execution left. */
export class Throttled extends Error {}

/** A change as a record of the table's stream. @param created UNIX milliseconds */
export function recordOf({ id, key, before, after }: Change, position: number, created?: number): DynamoDBRecord {
  const images = {
    ...(before && { OldImage: marshall(before, { removeUndefinedValues: true }) }),
    ...(after && { NewImage: marshall(after, { removeUndefinedValues: true }) }),
  }
  const arrived = created === undefined ? {} : { ApproximateCreationDateTime: created / 1_000 }
  const dynamodb = { SequenceNumber: String(1_000 + position), Keys: marshall(key), ...images, ...arrived }
  return { eventID: id, dynamodb } as DynamoDBRecord
}

/** Seconds between two tries. Lambda doesn't say what its are. */
const pause = (tries: number) => Math.min(2 ** tries, 60)

/**
 * A model of the poller by which Lambda gives a function the records of a shard of a DynamoDB stream as they come, with `BisectBatchOnFunctionError`:
 * a failed invocation halves the batch, which is no retry; one that can't start is tried for as long as its records are young enough.
 * (docs.aws.amazon.com/lambda/latest/dg/services-dynamodb-errors.html)
 * @param clock by which it waits
 * @returns what it gave up, batch by batch
 */
export async function pollStream(
  records: readonly DynamoDBRecord[],
  handler: (event: DynamoDBStreamEvent) => Promise<void>,
  { BatchSize = 100, MaximumRetryAttempts, MaximumRecordAgeInSeconds = Infinity }: Mapping,
  clock = new TestClock(),
): Promise<DynamoDBRecord[][]> {
  const dropped: DynamoDBRecord[][] = []
  const coming = [...records]
  const created = ({ dynamodb }: DynamoDBRecord) => (dynamodb?.ApproximateCreationDateTime ?? 0) * 1_000
  const isOld = (record: DynamoDBRecord) =>
    record.dynamodb?.ApproximateCreationDateTime !== undefined && ageOf(record) > MaximumRecordAgeInSeconds
  const ageOf = (record: DynamoDBRecord) => (clock.now() - created(record)) / 1_000
  while (coming[0]) {
    clock.ms = Math.max(clock.now(), created(coming[0]))
    const ready = coming.findIndex((record) => created(record) > clock.now())
    const taken = coming.splice(0, Math.min(BatchSize, ready < 0 ? coming.length : ready))
    const batches = [{ records: taken, retries: 0, tries: 0 }]
    for (let batch = batches.shift(); batch; batch = batches.shift()) {
      const { records: Records, retries, tries } = batch
      if (Records.some(isOld)) {
        dropped.push(Records)
        continue
      }
      const outcome = await handler({ Records }).then(
        () => 'handled',
        (error: unknown) => (error instanceof Throttled ? 'throttled' : 'failed'),
      )
      if (outcome === 'handled') continue
      if (outcome === 'failed' && Records.length > 1) {
        const middle = Math.ceil(Records.length / 2)
        batches.unshift(...[Records.slice(0, middle), Records.slice(middle)].map((half) => ({ records: half, retries, tries })))
        continue
      }
      clock.advance(pause(tries))
      const next = { ...batch, tries: tries + 1, retries: outcome === 'failed' ? retries + 1 : retries }
      if (next.retries > MaximumRetryAttempts) dropped.push(Records)
      else batches.unshift(next)
    }
  }
  return dropped
}
