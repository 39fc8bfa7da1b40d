import assert from 'node:assert/strict'
import type { DynamoDBRecord } from 'aws-lambda'
import { describe, test } from 'vitest'
import type { ChangeConsumer, NamedFunction } from '../../shared/runtime/consumer.ts'
import { changeHandler, startedHandler } from '../../shared/runtime/lambda.ts'

process.env.SETTINGS = JSON.stringify({ brand: 'SVC' })

// biome-ignore lint/suspicious/noExplicitAny: the table of events knows nothing of what each handler receives.
const consumer = (handle: (event: any) => Promise<void>): Pick<NamedFunction, 'name' | 'uses' | 'handle'> => ({
  name: 'consumer',
  uses: { table: 'read' },
  handle,
})
const table = {} as never

describe('a change consumer as Lambda function', () => {
  const record = (sequence: string): DynamoDBRecord => ({
    eventID: `id-${sequence}`,
    eventName: 'INSERT',
    dynamodb: {
      SequenceNumber: sequence,
      Keys: { pk: { S: `MEDIA#${sequence}` }, sk: { S: 'TOMBSTONE' } },
      NewImage: { mediaId: { N: sequence }, companyId: { N: '5' } },
    },
  })
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  const follower = (handle: (event: any) => Promise<void>) => ({
    ...consumer(handle),
    trigger: { events: ['media.removed'] } satisfies ChangeConsumer['trigger'],
  })

  test('gets the events that it wants, in order', async () => {
    const seen: unknown[] = []
    const runs: unknown[] = []
    const other = { ...record('3'), dynamodb: { Keys: { pk: { S: 'OTHER#3' }, sk: { S: 'OTHER' } }, NewImage: { id: { S: '3' } } } }
    const answer = await changeHandler(
      follower(async ({ event, by }) => {
        seen.push(event)
        runs.push(by.run)
      }),
      { table },
    )({ Records: [record('1'), other, record('2')] })
    assert.deepEqual(answer, { batchItemFailures: [] })
    assert.deepEqual(seen, [
      { name: 'media.removed', id: 'id-1.0', companyId: 5, mediaId: 1 },
      { name: 'media.removed', id: 'id-2.0', companyId: 5, mediaId: 2 },
    ])
    assert.deepEqual(runs, ['id-1', 'id-2'])
  })

  test('stops at a failure, from which the stream is repeated', async () => {
    const seen: number[] = []
    const handler = changeHandler(
      follower(async ({ event }) => {
        seen.push(event.mediaId)
        if (event.mediaId === 2) throw new Error('bad')
      }),
      { table },
    )
    assert.deepEqual(await handler({ Records: [record('1'), record('2'), record('3')] }), { batchItemFailures: [{ itemIdentifier: '2' }] })
    assert.deepEqual(seen, [1, 2])
  })

  test('fails as a whole when the first of several fails, which halves the batch; one that fails alone is reported', async () => {
    const handler = changeHandler(
      follower(async () => {
        throw new Error('bad')
      }),
      { table },
    )
    await assert.rejects(handler({ Records: [record('1'), record('2')] }), /first of 2 changes failed/)
    assert.deepEqual(await handler({ Records: [record('1')] }), { batchItemFailures: [{ itemIdentifier: '1' }] })
  })
})

describe('what a schedule or a rule starts, as Lambda function', () => {
  test('gets the event, who it acts as, what it uses and the context', async () => {
    const seen: Record<string, unknown>[] = []
    const started = startedHandler(
      consumer(async (event) => void seen.push(event)),
      { table },
    )
    await started({ source: 'aws.ses' }, { awsRequestId: 'r-1' })
    const [{ message, by, settings, clock, log, ...granted }] = seen as [Record<string, unknown>]
    assert.deepEqual([message, settings], [{ source: 'aws.ses' }, { brand: 'SVC' }])
    assert.deepEqual(by, { kind: 'job', job: 'consumer', run: 'r-1' })
    assert.ok(clock && log)
    assert.deepEqual(Object.keys(granted), ['table'])
  })

  test('fails when its run fails, so that Lambda runs it again', async () => {
    const failing = startedHandler(
      consumer(async () => {
        throw new Error('bad')
      }),
      { table },
    )
    await assert.rejects(failing({}, { awsRequestId: 'r-1' }), /bad/)
  })
})
