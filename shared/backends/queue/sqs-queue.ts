import { DeleteMessageCommand, type Message as Received, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { checkReceiveBatch, maxReceiveBatch } from './limits.ts'
import type { Queue } from './port.ts'
import { orUnavailable, sqsSender } from './sqs.ts'
import { sqsVisibility, unlessStale } from './sqs-visibility.ts'

export interface SqsQueueOptions {
  url: string
  /** The queue that its redrive policy names. */
  deadLetterUrl: string
  client?: SQSClient
}

/** Seconds for which dead letters are hidden while they are read. Then they are visible again. */
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

  const letters = sqsVisibility({ url: deadLetterUrl, client })
  return {
    ...sqsSender<Message>({ url, client }),
    ...sqsVisibility({ url, client }),
    async receive(max, { waitSeconds = 0 } = {}) {
      checkReceiveBatch(max)
      const messages = await receive(url, max, { WaitTimeSeconds: waitSeconds })
      return messages.map(({ MessageId, Body, Attributes, ReceiptHandle }) => ({
        id: MessageId!,
        message: JSON.parse(Body!),
        receives: Number(Attributes!.ApproximateReceiveCount),
        receipt: ReceiptHandle!,
      }))
    },
    async delete(receipt) {
      await orUnavailable(unlessStale(client.send(new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle: receipt }))))
    },
    async deadLetters(max) {
      const read: Received[] = []
      while (read.length < max) {
        const more = await receive(deadLetterUrl, Math.min(max - read.length, maxReceiveBatch), {
          WaitTimeSeconds: 1,
          VisibilityTimeout: readingSeconds,
        })
        if (more.length === 0) break
        read.push(...more)
      }
      await Promise.all(read.map(({ ReceiptHandle }) => letters.extend(ReceiptHandle!, 0)))
      return read.map(({ Body }) => JSON.parse(Body!))
    },
  }
}
