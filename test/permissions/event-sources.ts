import { setTimeout as sleep } from 'node:timers/promises'
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams'
import { ChangeMessageVisibilityCommand, DeleteMessageCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { events } from '../../functions/events.ts'
import { isFollower } from '../../infra/local/jobs/run-job.ts'
import { toAttributes } from '../../shared/backends/table/attribute-value.ts'
import type { Change } from '../../shared/backends/table/port.ts'
import { eventsFor, namedFunctions } from '../../shared/events/consumer.ts'
import { streamReader } from '../backends/table/stream-reader.ts'
import type { Deployment } from './deployment.ts'

const consumers = namedFunctions(events)

/** A message that its function fails on so often fails for ever. */
const MAX_RECEIVES = 20

/** Changes read at a time. */
const BATCH = 100

export type Sources = ReturnType<typeof eventSources>

/** Does what Lambda's pollers do: takes changes and messages to the functions that consume them. */
export function eventSources(deployment: Deployment) {
  const { functions, invoker, resource } = deployment
  const sqs = new SQSClient()
  const streams = new DynamoDBStreamsClient()
  const stream = streamReader(streams, resource('StorageTable').attributes.StreamArn!)
  let position: string | undefined

  /** @returns whether there were any */
  async function deliverBatch(): Promise<boolean> {
    const read = await stream.readChanges(position, BATCH)
    position = read.position
    for (const consumer of consumers) {
      if (!isFollower(consumer)) continue
      const Records = read.changes.filter((change) => eventsFor(consumer, change).length > 0).map(streamRecord)
      if (Records.length > 0) refuseFailures(consumer.name, await functions.get(consumer.name).invoke({ Records }))
    }
    return read.changes.length > 0
  }

  /** Runs what functions invoked. @returns whether there was anything */
  async function invoke(): Promise<boolean> {
    const invocations = invoker.take()
    for (const { name, event } of invocations) {
      const key = consumers.find((consumer) => name.endsWith(`-${consumer.name}`))?.name
      if (key === undefined) throw new Error(`there is no function ${name}`)
      await functions.get(key).invoke(event)
    }
    return invocations.length > 0
  }

  /** @returns whether there was a message; one that failed comes again, without the pause that its function gave it */
  async function deliverMessage(name: string, queue: string): Promise<boolean> {
    const QueueUrl = resource(`Queues${queue}`).ref
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({ QueueUrl, MessageSystemAttributeNames: ['ApproximateReceiveCount'], VisibilityTimeout: 600 }),
    )
    for (const { MessageId, Body, Attributes, ReceiptHandle } of Messages) {
      const { batchItemFailures } = await functions
        .get(name)!
        .invoke({ Records: [{ messageId: MessageId, receiptHandle: ReceiptHandle, body: Body, attributes: Attributes }] })
      if (batchItemFailures.length === 0) await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }))
      else if (Number(Attributes?.ApproximateReceiveCount) > MAX_RECEIVES)
        throw new Error(`${name} fails for ever on ${Body}: ${functions.logged().slice(-2000)}`)
      else await sqs.send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout: 0 }))
    }
    return Messages.length > 0
  }

  return {
    /** One message of a queue, if there is one. */
    deliverMessage,
    /** The runs that were woken by now. */
    invoke,
    /** The jobs that wait, by the changes that tell of them. */
    async runJobs(): Promise<void> {
      do while (await deliverBatch());
      while (await invoke())
    },
    /** All changes up to now. */
    async deliverChanges(): Promise<void> {
      while (await deliverBatch());
    },
    /** Delivers until nothing comes any more. */
    async settle(): Promise<void> {
      for (let idle = 0, rounds = 0; idle < 2; rounds++) {
        if (rounds === 10_000) throw new Error('what comes never ends')
        let delivered = await deliverBatch()
        delivered = (await invoke()) || delivered
        for (const { name, trigger } of consumers) if ('queue' in trigger && (await deliverMessage(name, trigger.queue))) delivered = true
        idle = delivered ? 0 : idle + 1
        if (!delivered) await sleep(100)
      }
    },
    /** Runs everything that runs by the clock. */
    async runSchedules(): Promise<void> {
      for (const { name, trigger } of consumers) if ('everyMinutes' in trigger) await functions.get(name).invoke({})
    },
    close() {
      sqs.destroy()
      streams.destroy()
    },
  }
}

function refuseFailures(name: string, { batchItemFailures }: { batchItemFailures: unknown[] }): void {
  if (batchItemFailures.length > 0) throw new Error(`${name} failed on a change`)
}

/** A change as Lambda delivers it. */
function streamRecord({ id, key, before, after }: Change) {
  return {
    eventID: id,
    dynamodb: {
      SequenceNumber: id,
      Keys: toAttributes({ ...key }),
      ...(before && { OldImage: toAttributes(before) }),
      ...(after && { NewImage: toAttributes(after) }),
    },
  }
}
