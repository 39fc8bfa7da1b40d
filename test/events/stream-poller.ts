import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda'

export interface PollerSettings {
  /** `MaximumRetryAttempts` of the event source mapping. */
  retryAttempts: number
  /**
   * What a partial answer does to the retries that the rest of its batch has left. AWS documents that the rest is retried, and not whether
   * that counts; those who tried it saw that only the same batch sent again does.
   */
  partialAnswer: 'starts anew' | 'counts'
}

interface Batch {
  records: readonly DynamoDBRecord[]
  retries: number
}

/**
 * A model of the poller by which Lambda gives a function the records of a DynamoDB stream, with `BisectBatchOnFunctionError`,
 * `ReportBatchItemFailures` and a failure destination, without its pauses. What AWS documents of it:
 *
 * - A failed invocation halves the batch, whether or not the function may report failures; a partial answer splits it at the returned record
 *   and retries the rest; of several returned records the lowest is the checkpoint; an identifier that names no record fails the batch.
 *   (docs.aws.amazon.com/lambda/latest/dg/services-ddb-batchfailurereporting.html)
 * - "Splitting a batch does not count towards the retry quota." What has no retries left goes to the failure destination as it is, the
 *   whole batch named by its first and last record, and the stream goes on. (docs.aws.amazon.com/lambda/latest/dg/with-ddb.html)
 * - Up to `ParallelizationFactor` batches of a shard are in work at a time, and records of one item come in order: each of these lanes
 *   does to its own batches what is modelled here. (the same page)
 *
 * So a partial answer that names the first record splits off nothing: the same batch comes again until it is dropped, good records and all.
 * @returns what went to the failure destination, batch by batch
 */
export async function pollStream(
  records: readonly DynamoDBRecord[],
  handler: (event: DynamoDBStreamEvent) => Promise<DynamoDBBatchResponse>,
  { retryAttempts, partialAnswer }: PollerSettings,
): Promise<DynamoDBRecord[][]> {
  const dropped: DynamoDBRecord[][] = []
  const batches: Batch[] = [{ records, retries: 0 }]
  for (let batch = batches.shift(); batch; batch = batches.shift()) {
    const next = await deliver(batch)
    for (const each of next.toReversed()) {
      if (each.retries > retryAttempts) dropped.push([...each.records])
      else batches.unshift(each)
    }
  }
  return dropped

  /** @returns what is to be delivered again, in order */
  async function deliver({ records, retries }: Batch): Promise<Batch[]> {
    let answer: DynamoDBBatchResponse
    try {
      answer = await handler({ Records: [...records] })
    } catch {
      if (records.length === 1) return [{ records, retries: retries + 1 }]
      const middle = Math.ceil(records.length / 2)
      return [records.slice(0, middle), records.slice(middle)].map((half) => ({ records: half, retries }))
    }
    const named = answer.batchItemFailures.map(({ itemIdentifier }) => records.findIndex((record) => sequenceOf(record) === itemIdentifier))
    if (named.length === 0) return []
    const checkpoint = Math.max(0, Math.min(...named))
    const isAnew = checkpoint > 0 && partialAnswer === 'starts anew'
    return [{ records: records.slice(checkpoint), retries: isAnew ? 0 : retries + 1 }]
  }
}

function sequenceOf({ dynamodb }: DynamoDBRecord): string | undefined {
  return dynamodb?.SequenceNumber
}
