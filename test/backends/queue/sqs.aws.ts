import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import {
  CreateQueueCommand,
  DeleteQueueCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs'
import type { SQSRecord } from 'aws-lambda'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { QueueUnavailable } from '../../../shared/backends/queue/port.ts'
import { queues } from '../../../shared/backends/queue/queues.ts'
import { sqsVisibility } from '../../../shared/backends/queue/sqs-visibility.ts'
import { queueHandler } from '../../../shared/events/lambda.ts'

const client = new SQSClient()
let QueueUrl = ''
beforeAll(async () => {
  const Attributes = { VisibilityTimeout: String(queues.serviceEvents.visibilitySeconds) }
  const made = await client.send(new CreateQueueCommand({ QueueName: `contract-${randomUUID()}`, Attributes }))
  QueueUrl = made.QueueUrl!
})
afterAll(async () => {
  await client.send(new DeleteQueueCommand({ QueueUrl }))
  client.destroy()
})

async function receive(): Promise<Message | undefined> {
  const command = new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 1, MessageSystemAttributeNames: ['ApproximateReceiveCount'] })
  return (await client.send(command)).Messages?.[0]
}

test('a message whose consumer failed comes back after seconds, not after its visibility time', async () => {
  const consumer = {
    name: 'fail-once',
    trigger: { queue: 'serviceEvents' } as const,
    uses: {},
    async handle() {
      throw new Error('once')
    },
  }
  const handler = queueHandler(consumer, {}, sqsVisibility({ url: QueueUrl, client }))
  await client.send(new SendMessageCommand({ QueueUrl, MessageBody: '{}' }))
  const { MessageId, Body, ReceiptHandle, Attributes } = (await receive())!
  const record = { messageId: MessageId, receiptHandle: ReceiptHandle, body: Body, attributes: Attributes }
  const { batchItemFailures } = await handler({ Records: [record as unknown as SQSRecord] })
  assert.equal(batchItemFailures.length, 1)
  await expect.poll(async () => (await receive())?.Attributes?.ApproximateReceiveCount, { timeout: 60_000 }).toBe('2')
})

test('a stale receipt is ignored; a queue that is not there, and a service that is not, are QueueUnavailable', async () => {
  await client.send(new SendMessageCommand({ QueueUrl, MessageBody: '{}' }))
  const { ReceiptHandle } = (await receive())!
  const visibility = sqsVisibility({ url: QueueUrl, client })
  await visibility.extend(ReceiptHandle!, 0)
  await visibility.extend(ReceiptHandle!, 0)
  await assert.rejects(sqsVisibility({ url: `${QueueUrl}-missing`, client }).extend(ReceiptHandle!, 0), QueueUnavailable)
  const nowhere = new SQSClient({ endpoint: 'http://127.0.0.1:9', maxAttempts: 1 })
  await assert.rejects(sqsVisibility({ url: QueueUrl, client: nowhere }).extend(ReceiptHandle!, 0), QueueUnavailable)
  nowhere.destroy()
})
