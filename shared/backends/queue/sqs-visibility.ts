import { ChangeMessageVisibilityCommand, MessageNotInflight, ReceiptHandleIsInvalid, SQSClient } from '@aws-sdk/client-sqs'
import { requestLimits } from '../aws/request-limits.ts'
import { type MessageVisibility, QueueUnavailable } from './port.ts'

/** Changes the visibility timeout of messages received from the SQS queue at `url`. */
export function sqsVisibility({ url, client }: { url: string; client?: SQSClient }): MessageVisibility {
  const sqs = client ?? new SQSClient({ requestHandler: requestLimits(3000) })
  return {
    async extend(receipt, seconds) {
      try {
        await sqs.send(new ChangeMessageVisibilityCommand({ QueueUrl: url, ReceiptHandle: receipt, VisibilityTimeout: seconds }))
      } catch (cause) {
        if (!isStale(cause))
          throw new QueueUnavailable(`SQS could not be used: ${cause instanceof Error ? cause.name : 'unknown error'}`, { cause })
      }
    },
  }
}

/** SQS refuses some stale receipts and accepts others silently. The port ignores all of them. */
function isStale(error: unknown): boolean {
  const isExpired = error instanceof Error && error.name === 'InvalidParameterValue' && /receipt handle|ReceiptHandle/i.test(error.message)
  return isExpired || error instanceof MessageNotInflight || error instanceof ReceiptHandleIsInvalid
}
