import { setTimeout as pause } from 'node:timers/promises'
import type { SendMessageBatchRequestEntry } from '@aws-sdk/client-sqs'
import { SendMessageBatchCommand, SendMessageCommand, SQSClient, type SQSClientConfig } from '@aws-sdk/client-sqs'
import { requestLimits } from '../aws/request-limits.ts'
import { checkDelay, checkGroup } from './limits.ts'
import type { QueueSender } from './port.ts'
import { QueueUnavailable } from './port.ts'

/** Most messages that SQS takes in one call. */
const batchSize = 10
/** How often messages are sent again that SQS refused for an internal reason. */
const maxAttempts = 5
/** Upper bound of the first pause before sending again, in milliseconds. It doubles each time. */
const firstPause = 50

/** A client with time limits on its requests. (Waiting for messages takes longer: `sqsQueue` has a client of its own.) */
export function sqsClient(config: SQSClientConfig = {}): SQSClient {
  return new SQSClient({ requestHandler: requestLimits(3000), ...config })
}

/** Sends to the SQS queue at `url`: what functions use. A group on a standard queue makes it a fair queue. */
export function sqsSender<Message>({ url, client = sqsClient() }: { url: string; client?: SQSClient }): QueueSender<Message> {
  return {
    async send(message, { delaySeconds = 0, group } = {}) {
      checkDelay(delaySeconds)
      const command = new SendMessageCommand({ QueueUrl: url, DelaySeconds: delaySeconds, ...entryOf(message, group) })
      await orUnavailable(client.send(command))
    },
    async sendMany(messages, { group } = {}) {
      const entries = messages.map((message, index) => ({ Id: String(index), ...entryOf(message, group) }))
      for (let start = 0; start < entries.length; start += batchSize) {
        await sendBatch(client, url, entries.slice(start, start + batchSize))
      }
    },
  }
}

function entryOf(message: unknown, group: string | undefined): { MessageBody: string; MessageGroupId?: string } {
  checkGroup(group)
  return { MessageBody: JSON.stringify(message), ...(group !== undefined && { MessageGroupId: group }) }
}

/** SQS answers a batch with 200 and lists the messages that it refused. */
async function sendBatch(client: SQSClient, url: string, batch: SendMessageBatchRequestEntry[]): Promise<void> {
  let entries = batch
  for (let attempt = 1; ; attempt++) {
    const { Failed: failed = [] } = await orUnavailable(client.send(new SendMessageBatchCommand({ QueueUrl: url, Entries: entries })))
    if (failed.length === 0) return
    const hopeless = failed.find((entry) => entry.SenderFault)
    if (hopeless || attempt === maxAttempts) {
      throw new QueueUnavailable(
        `SQS took ${entries.length - failed.length} of ${entries.length} messages: ${(hopeless ?? failed[0])?.Code}`,
      )
    }
    await pause(Math.random() * firstPause * 2 ** (attempt - 1))
    entries = entries.filter((entry) => failed.some(({ Id }) => Id === entry.Id))
  }
}

/** @throws QueueUnavailable for every error of SQS or the network, after the client's own retries */
export async function orUnavailable<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (cause) {
    throw new QueueUnavailable(`SQS could not be used: ${cause instanceof Error ? cause.name : 'unknown error'}`, { cause })
  }
}
