import { ChangeMessageVisibilityCommand, MessageNotInflight, ReceiptHandleIsInvalid, type SQSClient } from '@aws-sdk/client-sqs'
import type { Queue } from './port.ts'
import { orUnavailable, sqsClient } from './sqs.ts'

/** Changes how long what was received from the SQS queue at `url` stays hidden: the one part of receiving that Lambda leaves to a function. */
export function sqsVisibility({ url, client = sqsClient() }: { url: string; client?: SQSClient }): Pick<Queue<unknown>, 'extend'> {
  return {
    async extend(receipt, seconds) {
      const command = new ChangeMessageVisibilityCommand({ QueueUrl: url, ReceiptHandle: receipt, VisibilityTimeout: seconds })
      await orUnavailable(unlessStale(client.send(command)))
    },
  }
}

/** SQS refuses some stale receipts and takes others silently; the port ignores them all. */
export async function unlessStale(answer: Promise<unknown>): Promise<void> {
  try {
    await answer
  } catch (error) {
    const expired = error instanceof Error && error.name === 'InvalidParameterValue' && /receipt handle|ReceiptHandle/i.test(error.message)
    if (!expired && !(error instanceof MessageNotInflight) && !(error instanceof ReceiptHandleIsInvalid)) throw error
  }
}
