import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda'
import { ChangeMessageVisibilityCommand, DeleteMessageCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { events } from '../../../functions/events.ts'
import { requestLimits } from '../../../shared/backends/aws/request-limits.ts'
import { namedFunctions } from '../../../shared/runtime/consumer.ts'
import type { FailedRuns } from '../../homes/failed-runs.ts'

/** Longer than any consumer runs, in milliseconds. */
const LONGEST_RUN_MS = 900_000
/** Seconds for which letters that were received are hidden. */
const HIDDEN_SECONDS = 300

/** The failed runs of a stack. @param place.queueUrl of letters @param place.changes the bucket of changes that were given up */
export function stackFailedRuns({
  stack,
  queueUrl: QueueUrl,
  changes,
}: {
  stack: string
  queueUrl: string
  changes: FailedRuns['changes']
}): FailedRuns {
  const sqs = new SQSClient({ useQueueUrlAsEndpoint: false })
  const lambda = new LambdaClient({ requestHandler: requestLimits(LONGEST_RUN_MS) })
  return {
    changes,
    letters: {
      async receive() {
        // A wait of some seconds makes SQS look at all its servers.
        const asked = { QueueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 2, VisibilityTimeout: HIDDEN_SECONDS }
        const { Messages = [] } = await sqs.send(new ReceiveMessageCommand(asked))
        return Messages.map(({ MessageId: id = '', Body: body = '', ReceiptHandle: receipt = '' }) => ({ id, body, receipt }))
      },
      async remove({ receipt: ReceiptHandle }) {
        await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }))
      },
      async giveBack({ receipt: ReceiptHandle }) {
        await sqs.send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout: 0 }))
      },
    },
    serviceConsumer: `${stack}-${namedFunctions(events).find(({ trigger }) => 'services' in trigger)!.name}`,
    async run(FunctionName, event) {
      const { FunctionError } = await lambda.send(new InvokeCommand({ FunctionName, Payload: JSON.stringify(event) }))
      return !FunctionError
    },
  }
}
