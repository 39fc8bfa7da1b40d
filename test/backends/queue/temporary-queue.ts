import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { CreateQueueCommand, DeleteQueueCommand, GetQueueAttributesCommand, type SQSClient } from '@aws-sdk/client-sqs'
import { sqsQueue } from '../../../shared/backends/queue/sqs-queue.ts'
import { contractSettings, type Message, type QueueUnderTest } from './contract.ts'

export interface TemporaryQueue extends QueueUnderTest {
  url: string
  deadLetterUrl: string
}

/** A queue of SQS with its dead letters, under a name of its own. */
export async function temporaryQueue(client: SQSClient, settings = contractSettings): Promise<TemporaryQueue> {
  const name = `contract-${randomUUID()}`
  const { QueueUrl: deadLetterUrl } = await client.send(new CreateQueueCommand({ QueueName: `${name}-dead` }))
  const { Attributes } = await client.send(new GetQueueAttributesCommand({ QueueUrl: deadLetterUrl, AttributeNames: ['QueueArn'] }))
  const { QueueUrl: url } = await client.send(
    new CreateQueueCommand({
      QueueName: name,
      Attributes: {
        VisibilityTimeout: String(settings.visibilitySeconds),
        RedrivePolicy: JSON.stringify({ deadLetterTargetArn: Attributes!.QueueArn, maxReceiveCount: settings.maxReceives }),
      },
    }),
  )
  return {
    url: url!,
    deadLetterUrl: deadLetterUrl!,
    queue: sqsQueue<Message>({ url: url!, deadLetterUrl: deadLetterUrl!, client }),
    advance: (seconds) => pause(seconds * 1_000),
    async close() {
      for (const QueueUrl of [url, deadLetterUrl]) await client.send(new DeleteQueueCommand({ QueueUrl }))
    },
  }
}
