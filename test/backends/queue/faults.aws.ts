import assert from 'node:assert/strict'
import { SQSClient } from '@aws-sdk/client-sqs'
import { afterAll, afterEach, beforeAll, describe, test } from 'vitest'
import { type Queue, QueueUnavailable } from '../../../shared/backends/queue/port.ts'
import { sqsClient } from '../../../shared/backends/queue/sqs.ts'
import { sqsQueue } from '../../../shared/backends/queue/sqs-queue.ts'
import { faultyEndpoint } from '../../support/aws/faults/faulty-endpoint.ts'
import { contractSettings, type Message, mediaIds, message, messages, queueContract, receiveAll } from './contract.ts'
import { everyFault, faultsThatDoNotShow, firstAnswerLost, outage } from './faults.ts'
import { type TemporaryQueue, temporaryQueue } from './temporary-queue.ts'

const engine = process.env.AWS_ENDPOINT_URL
assert.ok(engine, 'AWS_ENDPOINT_URL names the emulator; npm run test:aws sets it')

const direct = new SQSClient()
const endpoint = await faultyEndpoint(engine)
// Longer than any case waits for messages.
const faulty = sqsClient({ endpoint: endpoint.url, requestHandler: { requestTimeout: 15_000, throwOnRequestTimeout: true } })
afterAll(async () => {
  direct.destroy()
  faulty.destroy()
  await endpoint.close()
})

/** The queue, reached through the endpoint with faults. A client goes where the URL of the queue leads. */
function throughFaults({ url, deadLetterUrl }: TemporaryQueue): Queue<Message> {
  const faultyUrl = (of: string) => endpoint.url + new URL(of).pathname
  return sqsQueue<Message>({ url: faultyUrl(url), deadLetterUrl: faultyUrl(deadLetterUrl), client: faulty })
}

describe('SQS when requests fail now and then', () => {
  beforeAll(() => endpoint.follow(faultsThatDoNotShow('queue contract')))
  afterAll(() => {
    endpoint.follow(undefined)
    // How many there are depends on how often a receive has to look again.
    assert.ok(endpoint.injected > 5, `${endpoint.injected} faults`)
  })

  queueContract('SQS under faults', async (settings) => {
    const made = await temporaryQueue(direct, settings)
    return { ...made, queue: throughFaults(made) }
  })
})

describe('SQS when any answer may be lost', () => {
  let made: TemporaryQueue
  let queue: Queue<Message>
  beforeAll(async () => {
    made = await temporaryQueue(direct)
    queue = throughFaults(made)
  })
  afterEach(() => endpoint.follow(undefined))
  afterAll(() => made.close())

  /** Everything there is, deleted. */
  async function drained(): Promise<number[]> {
    const deliveries = await receiveAll(made.queue)
    for (const { receipt } of deliveries) await made.queue.delete(receipt)
    return mediaIds(deliveries)
  }

  test('what was sent is there, maybe more than once, and nothing else', async () => {
    endpoint.follow(everyFault('sends'))
    for (const one of messages(15)) await queue.send(one)
    await queue.sendMany(messages(40).slice(15))
    const arrived = await drained()
    assert.deepEqual([...new Set(arrived)], mediaIds(messages(40)))
    assert.ok(arrived.length > 40, 'some answers were lost')
  })

  test('messages whose delivery was lost on the way come back, counted', async () => {
    await queue.send(message(1))
    endpoint.follow(firstAnswerLost('ReceiveMessage'))
    assert.deepEqual(await queue.receive(10), [], 'the repeated call finds it hidden')
    await made.advance(contractSettings.visibilitySeconds + 1)
    const [delivery] = await queue.receive(10)
    assert.deepEqual([delivery?.message, delivery?.receives], [message(1), 2])
    await queue.delete(delivery!.receipt)
  })

  test('during an outage everything ends in QueueUnavailable, and after it nothing has happened', async () => {
    await made.queue.send(message(2))
    const [delivery] = await receiveAll(made.queue)
    endpoint.follow(outage)
    const attempts = [
      queue.send(message(3)),
      queue.sendMany(messages(20)),
      queue.receive(10),
      queue.delete(delivery!.receipt),
      queue.extend(delivery!.receipt, 60),
      queue.deadLetters(1),
    ]
    for (const attempt of await Promise.allSettled(attempts)) {
      assert.ok(attempt.status === 'rejected' && attempt.reason instanceof QueueUnavailable, JSON.stringify(attempt))
    }
    endpoint.follow(undefined)
    await queue.extend(delivery!.receipt, 0)
    assert.deepEqual(await drained(), [2])
  })
})
