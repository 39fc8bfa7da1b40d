import { ChangeMessageVisibilityCommand, MessageNotInflight, ReceiptHandleIsInvalid, type SQSClient } from '@aws-sdk/client-sqs'
import type { Queue } from './port.ts'
import { orUnavailable, sqsClient } from './sqs.ts'

/** Changes the visibility timeout of messages received from the SQS queue at `url`. Lambda does the rest of receiving by itself. */
export function sqsVisibility({ url, client = sqsClient() }: { url: string; client?: SQSClient }): Pick<Queue<unknown>, 'extend'> {
  return {
    async extend(receipt, seconds) {
      const command = new ChangeMessageVisibilityCommand({ QueueUrl: url, ReceiptHandle: receipt, VisibilityTimeout: seconds })
      await orUnavailable(unlessStale(client.send(command)))
    },
  }
}

/** SQS refuses some stale receipts and accepts others silently. The port ignores all of them. */
export async function unlessStale(answer: Promise<unknown>): Promise<void> {
  try {
    await answer
  } catch (error) {
    const expired = error instanceof Error && error.name === 'InvalidParameterValue' && /receipt handle|ReceiptHandle/i.test(error.message)
    if (!expired && !(error instanceof MessageNotInflight) && !(error instanceof ReceiptHandleIsInvalid)) throw error
  }
}
