import type { Context, DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda'
import { toChange } from '../backends/table/dynamodb-stream.ts'
import { lambdaProcess } from '../lambda-process.ts'
import type { DomainEvent } from '../library/events/domain-events.ts'
import { type Backend, grantedOf } from '../resources.ts'
import { actorOf, type Batches, type ChangeConsumer, type EventContext, eventsFor, type NamedFunction } from './consumer.ts'

type Consumer = Pick<NamedFunction, 'name' | 'uses' | 'handle'>

/**
 * The Lambda handler of a change-stream consumer. It stops at the first failure, because later changes may build on it, and reports that
 * record: the stream goes on from there. Where the first of several fails there is nothing to go on from, and after its retries Lambda
 * would drop the whole batch, good changes and all. So the invocation fails, which halves the batch and counts as no retry, until the
 * change that fails stands alone; that one is retried, and then it alone is given up.
 * @throws Error when the first of several changes fails
 */
export function changeHandler(
  consumer: Consumer & Pick<ChangeConsumer, 'trigger'>,
  backend: Partial<Backend>,
): (event: DynamoDBStreamEvent) => Promise<DynamoDBBatchResponse> {
  const context = contextOf(consumer)
  const granted = grantedOf(consumer.uses, backend)
  return async ({ Records }) => {
    for (const [position, record] of Records.entries()) {
      const change = toChange(record)
      try {
        const by = actorOf(consumer, change.id)
        for (const event of eventsFor(consumer, change)) await consumer.handle({ event, by, ...context, ...granted })
      } catch (error) {
        context.log.error('change failed', { change: change.id, key: change.key, error })
        if (position === 0 && Records.length > 1) throw new Error(`the first of ${Records.length} changes failed`, { cause: error })
        return { batchItemFailures: [{ itemIdentifier: record.dynamodb?.SequenceNumber ?? '' }] }
      }
    }
    return { batchItemFailures: [] }
  }
}

/**
 * The Lambda handler of a consumer of batches. The first change of which an event failed is reported, so the stream goes on from there. As above
 * the invocation fails where that is the first of several: the batch is halved until the change stands alone.
 * @throws Error when the first of several changes fails
 */
export function batchHandler(
  consumer: Pick<Batches, 'uses' | 'trigger' | 'handle'> & Pick<NamedFunction, 'name'>,
  backend: Partial<Backend>,
): (event: DynamoDBStreamEvent) => Promise<DynamoDBBatchResponse> {
  const context = contextOf(consumer)
  const granted = grantedOf(consumer.uses, backend)
  return async ({ Records }) => {
    const changes = Records.map((record) => ({ sequence: record.dynamodb?.SequenceNumber ?? '', change: toChange(record) }))
    const eventsOfChanges = changes.map(({ change }) => eventsFor(consumer, change))
    const events = eventsOfChanges.flat()
    if (events.length === 0) return { batchItemFailures: [] }
    const by = actorOf(consumer, changes[0]!.change.id)
    const failed: ReadonlySet<DomainEvent> = new Set(await consumer.handle({ events, by, ...context, ...granted }))
    const position = eventsOfChanges.findIndex((those) => those.some((event) => failed.has(event)))
    if (position < 0) return { batchItemFailures: [] }
    const { change, sequence } = changes[position]!
    context.log.error('change failed', { change: change.id, key: change.key })
    if (position === 0 && Records.length > 1) throw new Error(`the first of ${Records.length} changes failed`)
    return { batchItemFailures: [{ itemIdentifier: sequence }] }
  }
}

/**
 * The Lambda handler of a function that a schedule or a rule of EventBridge starts. What it throws makes Lambda run it again, after one and after
 * two minutes; then the event becomes a dead letter.
 */
export function startedHandler(
  consumer: Consumer,
  backend: Partial<Backend>,
): (message: unknown, invocation: Pick<Context, 'awsRequestId'>) => Promise<void> {
  const context = contextOf(consumer)
  const granted = grantedOf(consumer.uses, backend)
  return async (message, { awsRequestId }) => {
    try {
      await consumer.handle({ message, by: actorOf(consumer, awsRequestId), ...context, ...granted })
    } catch (error) {
      context.log.error('run failed', { error })
      throw error
    }
  }
}

function contextOf({ name }: Pick<Consumer, 'name'>): EventContext {
  const { log, ...rest } = lambdaProcess()
  return { ...rest, log: log.with({ function: name }) }
}
