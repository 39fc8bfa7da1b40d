import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  MessageNotInflight,
  ReceiptHandleIsInvalid,
  type Message as Received,
  ReceiveMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs'
import { checkReceiveBatch, maxReceiveBatch } from './limits.ts'
import type { Queue } from './port.ts'
import { orUnavailable, sqsSender } from './sqs.ts'

export interface SqsQueueOptions {
  url: string
  /** The queue that its redrive policy names. */
  deadLetterUrl: string
  client?: SQSClient
}

/** Seconds for which dead letters are hidden while they are read; then they are given back. */
const readingSeconds = 30

/** Both halves of an SQS queue, for tools and tests; functions receive through an event source mapping. */
export function sqsQueue<Message>({ url, deadLetterUrl, client = new SQSClient() }: SqsQueueOptions): Queue<Message> {
  async function receive(from: string, max: number, options: { WaitTimeSeconds: number; VisibilityTimeout?: number }): Promise<Received[]> {
    const answer = await orUnavailable(
      client.send(
        new ReceiveMessageCommand({
          QueueUrl: from,
          MaxNumberOfMessages: max,
          MessageSystemAttributeNames: ['ApproximateReceiveCount'],
          ...options,
        }),
      ),
    )
    return answer.Messages ?? []
  }

  function hide(from: string, receipt: string, seconds: number): Promise<unknown> {
    const command = new ChangeMessageVisibilityCommand({ QueueUrl: from, ReceiptHandle: receipt, VisibilityTimeout: seconds })
    return orUnavailable(unlessStale(client.send(command)))
  }

  return {
    ...sqsSender<Message>({ url, client }),
    async receive(max, { waitSeconds = 0 } = {}) {
      checkReceiveBatch(max)
      const messages = await receive(url, max, { WaitTimeSeconds: waitSeconds })
      return messages.map(({ Body, Attributes, ReceiptHandle }) => ({
        message: JSON.parse(Body!),
        receives: Number(Attributes!.ApproximateReceiveCount),
        receipt: ReceiptHandle!,
      }))
    },
    async delete(receipt) {
      await orUnavailable(unlessStale(client.send(new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle: receipt }))))
    },
    async extend(receipt, seconds) {
      await hide(url, receipt, seconds)
    },
    async deadLetters(max) {
      const letters: Received[] = []
      while (letters.length < max) {
        const more = await receive(deadLetterUrl, Math.min(max - letters.length, maxReceiveBatch), {
          WaitTimeSeconds: 1,
          VisibilityTimeout: readingSeconds,
        })
        if (more.length === 0) break
        letters.push(...more)
      }
      await Promise.all(letters.map(({ ReceiptHandle }) => hide(deadLetterUrl, ReceiptHandle!, 0)))
      return letters.map(({ Body }) => JSON.parse(Body!))
    },
  }
}

/** SQS refuses some stale receipts and takes others silently; the port ignores them all. */
async function unlessStale(answer: Promise<unknown>): Promise<void> {
  try {
    await answer
  } catch (error) {
    const expired = error instanceof Error && error.name === 'InvalidParameterValue' && /receipt handle|ReceiptHandle/i.test(error.message)
    if (!expired && !(error instanceof MessageNotInflight) && !(error instanceof ReceiptHandleIsInvalid)) throw error
  }
}
