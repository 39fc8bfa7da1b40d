import assert from 'node:assert/strict'
import type { DynamoDBRecord, SQSRecord } from 'aws-lambda'
import { describe, test } from 'vitest'
import { QueueUnavailable } from '../../shared/backends/queue/port.ts'
import { queues } from '../../shared/backends/queue/queues.ts'
import type { ChangeConsumer, NamedFunction, QueueConsumer } from '../../shared/events/consumer.ts'
import { changeHandler, queueHandler, scheduleHandler } from '../../shared/events/lambda.ts'

process.env.SETTINGS = JSON.stringify({ brand: 'SVC' })

// biome-ignore lint/suspicious/noExplicitAny: the table of events knows nothing of what each handler receives.
const consumer = (handle: (event: any) => Promise<void>): Pick<NamedFunction, 'name' | 'uses' | 'handle'> => ({
  name: 'consumer',
  uses: { table: 'read' },
  handle,
})
const table = {} as never

// biome-ignore lint/suspicious/noExplicitAny: as above.
const importer = (handle: (event: any) => Promise<void>): Parameters<typeof queueHandler>[0] => ({
  ...consumer(handle),
  trigger: { queue: 'serviceEvents' } satisfies QueueConsumer['trigger'],
})

describe('a queue consumer as Lambda function', () => {
  const record = (messageId: string, body: unknown, receives = 1, receiptHandle = '') =>
    ({
      messageId,
      receiptHandle,
      body: JSON.stringify(body),
      attributes: { ApproximateReceiveCount: String(receives) },
    }) as unknown as SQSRecord
  const unavailable = {
    async extend() {
      throw new QueueUnavailable('SQS is down')
    },
  }
  const failing = importer(async () => {
    throw new Error('bad')
  })

  test('gets the message, who it acts as, what it uses and the context', async () => {
    const seen: Record<string, unknown>[] = []
    await queueHandler(
      importer(async (event) => void seen.push(event)),
      { table },
      unavailable,
    )({ Records: [record('1', { mediaId: 7 }, 3)] })
    const [{ message, by, settings, clock, log, ...granted }] = seen as [Record<string, unknown>]
    assert.deepEqual([message, settings], [{ mediaId: 7 }, { brand: 'SVC' }])
    assert.deepEqual(by, { kind: 'job', job: 'consumer', run: '1' })
    assert.ok(clock && log)
    assert.deepEqual(Object.keys(granted), ['table'])
  })

  test('only messages that failed come back, also when they cannot be given back early', async () => {
    const handler = queueHandler(
      importer(async ({ message }) => {
        if (message === 'bad') throw new Error('bad')
      }),
      { table },
      unavailable,
    )
    const { batchItemFailures } = await handler({ Records: [record('1', 'good'), record('2', 'bad'), record('3', 'good')] })
    assert.deepEqual(batchItemFailures, [{ itemIdentifier: '2' }])
  })

  test('a message that is no JSON comes back, and the others are still processed', async () => {
    const seen: unknown[] = []
    const handler = queueHandler(
      importer(async ({ message }) => void seen.push(message)),
      { table },
      unavailable,
    )
    const garbage = { ...record('1', ''), body: '{' }
    assert.deepEqual((await handler({ Records: [garbage, record('2', 'good')] })).batchItemFailures, [{ itemIdentifier: '1' }])
    assert.deepEqual(seen, ['good'])
  })

  test('a message that failed comes back after 2, 4, 8 seconds and so on, and is a dead letter right after its last try', async () => {
    const hidden: unknown[] = []
    const handler = queueHandler(failing, { table }, { extend: async (receipt, seconds) => void hidden.push([receipt, seconds]) })
    const { maxReceives } = queues.serviceEvents
    for (const receives of [1, 2, 3, maxReceives - 1, maxReceives]) {
      const answer = await handler({ Records: [record('1', {}, receives, `receipt ${receives}`)] })
      assert.equal(answer.batchItemFailures.length, 1)
    }
    assert.deepEqual(hidden, [
      ['receipt 1', 2],
      ['receipt 2', 4],
      ['receipt 3', 8],
      [`receipt ${maxReceives - 1}`, 179],
      [`receipt ${maxReceives}`, 0],
    ])
  })
})

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

describe('a schedule as Lambda function', () => {
  test('fails when its run fails, so that Lambda runs it again', async () => {
    const runs: unknown[] = []
    const failing = scheduleHandler(
      consumer(async ({ by }) => {
        runs.push(by)
        throw new Error('bad')
      }),
      { table },
    )
    await assert.rejects(failing({}, { awsRequestId: 'r-1' }), /bad/)
    assert.deepEqual(runs, [{ kind: 'job', job: 'consumer', run: 'r-1' }])
  })
})
