import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { DynamoDBRecord, SQSRecord } from 'aws-lambda'
import type { EventFunction } from '../../shared/events/consumer.ts'
import { changeHandler, queueHandler, scheduleHandler } from '../../shared/events/lambda.ts'

process.env.SETTINGS = JSON.stringify({ brand: 'SVC' })

// biome-ignore lint/suspicious/noExplicitAny: the table of events knows nothing of what each handler receives.
const consumer = (handle: (event: any) => Promise<void>): Pick<EventFunction, 'name' | 'uses' | 'handle'> => ({
  name: 'consumer',
  uses: { table: 'read' },
  handle,
})
const table = {} as never

suite('a queue consumer as Lambda function', () => {
  const record = (messageId: string, body: unknown, receives = 1) =>
    ({ messageId, body: JSON.stringify(body), attributes: { ApproximateReceiveCount: String(receives) } }) as unknown as SQSRecord

  test('gets message, receives, what it uses and the context', async () => {
    const seen: Record<string, unknown>[] = []
    await queueHandler(
      consumer(async (event) => void seen.push(event)),
      { table },
    )({ Records: [record('1', { mediaId: 7 }, 3)] })
    const [{ message, receives, settings, clock, log, ...granted }] = seen as [Record<string, unknown>]
    assert.deepEqual([message, receives, settings], [{ mediaId: 7 }, 3, { brand: 'SVC' }])
    assert.ok(clock && log)
    assert.deepEqual(Object.keys(granted), ['table'])
  })

  test('only messages that failed come back', async () => {
    const handler = queueHandler(
      consumer(async ({ message }) => {
        if (message === 'bad') throw new Error('bad')
      }),
      { table },
    )
    const { batchItemFailures } = await handler({ Records: [record('1', 'good'), record('2', 'bad'), record('3', 'good')] })
    assert.deepEqual(batchItemFailures, [{ itemIdentifier: '2' }])
  })

  test('a message that is no JSON comes back, and the others are still processed', async () => {
    const seen: unknown[] = []
    const handler = queueHandler(
      consumer(async ({ message }) => void seen.push(message)),
      { table },
    )
    const garbage = { ...record('1', ''), body: '{' }
    assert.deepEqual((await handler({ Records: [garbage, record('2', 'good')] })).batchItemFailures, [{ itemIdentifier: '1' }])
    assert.deepEqual(seen, ['good'])
  })
})

suite('a change consumer as Lambda function', () => {
  const record = (sequence: string): DynamoDBRecord => ({
    eventID: `id-${sequence}`,
    eventName: 'INSERT',
    dynamodb: {
      SequenceNumber: sequence,
      Keys: { pk: { S: 'p' }, sk: { S: sequence } },
      NewImage: { pk: { S: 'p' }, sk: { S: sequence }, n: { N: '5' } },
    },
  })

  test('gets changes as the port tells them, in order', async () => {
    const seen: unknown[] = []
    const answer = await changeHandler(
      consumer(async ({ change }) => void seen.push(change)),
      { table },
    )({ Records: [record('1'), record('2')] })
    assert.deepEqual(answer, { batchItemFailures: [] })
    assert.deepEqual(seen, [
      { id: 'id-1', key: { pk: 'p', sk: '1' }, after: { pk: 'p', sk: '1', n: 5 } },
      { id: 'id-2', key: { pk: 'p', sk: '2' }, after: { pk: 'p', sk: '2', n: 5 } },
    ])
  })

  test('stops at a failure, from which the stream is repeated', async () => {
    const seen: string[] = []
    const handler = changeHandler(
      consumer(async ({ change }) => {
        seen.push(change.key.sk)
        if (change.key.sk === '2') throw new Error('bad')
      }),
      { table },
    )
    assert.deepEqual(await handler({ Records: [record('1'), record('2'), record('3')] }), { batchItemFailures: [{ itemIdentifier: '2' }] })
    assert.deepEqual(seen, ['1', '2'])
  })

  test('fails as a whole when the first of several fails, which halves the batch; one that fails alone is reported', async () => {
    const handler = changeHandler(
      consumer(async () => {
        throw new Error('bad')
      }),
      { table },
    )
    await assert.rejects(handler({ Records: [record('1'), record('2')] }), /first of 2 changes failed/)
    assert.deepEqual(await handler({ Records: [record('1')] }), { batchItemFailures: [{ itemIdentifier: '1' }] })
  })
})

suite('a schedule as Lambda function', () => {
  test('fails when its run fails, so that Lambda runs it again', async () => {
    const failing = scheduleHandler(
      consumer(async () => {
        throw new Error('bad')
      }),
      { table },
    )
    await assert.rejects(failing(), /bad/)
  })
})
