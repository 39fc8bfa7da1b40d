import assert from 'node:assert/strict'
import {
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  type SendMessageBatchRequest,
  type SendMessageBatchResult,
  SQSClient,
} from '@aws-sdk/client-sqs'
import type { SQSRecord } from 'aws-lambda'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { QueueUnavailable } from '../../../shared/backends/queue/port.ts'
import { queues } from '../../../shared/backends/queue/queues.ts'
import { sqsSender } from '../../../shared/backends/queue/sqs.ts'
import { sqsVisibility } from '../../../shared/backends/queue/sqs-visibility.ts'
import { queueHandler } from '../../../shared/events/lambda.ts'
import { type Message, mediaIds, message, messages, queueContract, receiveAll } from './contract.ts'
import { type TemporaryQueue, temporaryQueue } from './temporary-queue.ts'

const client = new SQSClient()
afterAll(() => client.destroy())

queueContract('SQS', (settings) => temporaryQueue(client, settings))

describe('SQS sender', () => {
  let under: TemporaryQueue
  beforeAll(async () => {
    under = await temporaryQueue(client)
  })
  afterAll(() => under.close())

  test('messages that SQS refuses for reasons of its own are sent again, and only those', async () => {
    const refusing = refusingClient({ calls: 2, senderFault: false })
    await sqsSender<Message>({ url: under.url, client: refusing.client }).sendMany(messages(12))
    assert.deepEqual(mediaIds(await receiveAll(under.queue)), mediaIds(messages(12)))
    assert.deepEqual(refusing.sizes, [10, 2, 2, 2], 'two calls were refused two messages each; the second batch came after')
  })

  test('messages that SQS can never take are given up at once', async () => {
    const refusing = refusingClient({ calls: 1, senderFault: true })
    await assert.rejects(sqsSender<Message>({ url: under.url, client: refusing.client }).sendMany(messages(3)), QueueUnavailable)
    assert.deepEqual(refusing.sizes, [3])
  })

  test('the group of a message is the one by which SQS is fair', async () => {
    const apart = await temporaryQueue(client)
    await apart.queue.send(message(1), { group: 'company-1' })
    await apart.queue.sendMany([message(2)], { group: 'company-2' })
    await apart.queue.send(message(3))
    const groups = new Map<number, string | undefined>()
    while (groups.size < 3) {
      const receive = new ReceiveMessageCommand({ QueueUrl: apart.url, MaxNumberOfMessages: 10, MessageSystemAttributeNames: ['All'] })
      const { Messages = [] } = await client.send(receive)
      for (const { Body, Attributes } of Messages) groups.set(JSON.parse(Body!).mediaId, Attributes?.MessageGroupId)
    }
    await apart.close()
    assert.deepEqual(Object.fromEntries(groups), { 1: 'company-1', 2: 'company-2', 3: undefined })
  })

  test('a refusal that lasts ends in QueueUnavailable', async () => {
    const refusing = refusingClient({ calls: 100, senderFault: false })
    await assert.rejects(sqsSender<Message>({ url: under.url, client: refusing.client }).sendMany(messages(2)), QueueUnavailable)
    assert.equal(refusing.sizes.length, 5)
  })

  test('a queue that is not there, and a service that is not, are QueueUnavailable', async () => {
    const nowhere = new SQSClient({ endpoint: 'http://127.0.0.1:9', maxAttempts: 1 })
    await assert.rejects(sqsSender<Message>({ url: under.url, client: nowhere }).send(message(1)), QueueUnavailable)
    await assert.rejects(sqsSender<Message>({ url: `${under.url}-missing`, client }).send(message(1)), QueueUnavailable)
    nowhere.destroy()
  })
})

test('a message whose consumer failed comes back within 30 seconds, not after its visibility time', async () => {
  const { url, queue, close } = await temporaryQueue(client, queues.imports)
  const consumer = {
    name: 'fail-once',
    trigger: { queue: 'imports' } as const,
    uses: {},
    async handle() {
      throw new Error('once')
    },
  }
  const handler = queueHandler(consumer, {}, sqsVisibility({ url, client }))
  await queue.send(message(1))
  const [first] = await queue.receive(1, { waitSeconds: 10 })
  const { receipt: receiptHandle, receives } = first!
  const record = {
    messageId: '1',
    receiptHandle,
    body: JSON.stringify(first!.message),
    attributes: { ApproximateReceiveCount: `${receives}` },
  }
  const { batchItemFailures } = await handler({ Records: [record as SQSRecord] })
  assert.equal(batchItemFailures.length, 1)
  const again = [...(await queue.receive(1, { waitSeconds: 15 })), ...(await queue.receive(1, { waitSeconds: 15 }))]
  assert.deepEqual(
    again.map(({ message, receives }) => ({ message, receives })),
    [{ message: message(1), receives: 2 }],
  )
  await close()
})

/** The real client, but of each of its first batches two messages are kept back and reported as refused: no engine does so by itself. */
function refusingClient({ calls, senderFault }: { calls: number; senderFault: boolean }): { client: SQSClient; sizes: number[] } {
  const refusing = new SQSClient()
  const sizes: number[] = []
  refusing.middlewareStack.add(
    (next, context) => async (args) => {
      if (context.commandName !== SendMessageBatchCommand.name) return next(args)
      const input = args.input as SendMessageBatchRequest
      const entries = input.Entries!
      sizes.push(entries.length)
      if (sizes.length > calls) return next(args)
      const refused = entries.slice(0, 2).map(({ Id }) => ({ Id, Code: 'InternalError', SenderFault: senderFault }))
      const kept = entries.slice(2)
      if (kept.length === 0) return { output: { $metadata: {}, Failed: refused } as never, response: {} }
      const answer = await next({ ...args, input: { ...input, Entries: kept } as never })
      ;(answer.output as SendMessageBatchResult).Failed = refused
      return answer
    },
    { step: 'initialize' },
  )
  return { client: refusing, sizes }
}
