import type { Context, DynamoDBStreamEvent } from 'aws-lambda'
import { toChange } from '../backends/table/dynamodb-stream.ts'
import { lambdaProcess } from '../lambda-process.ts'
import { type Backend, grantedOf } from '../resources.ts'
import { handleChanges } from './changes.ts'
import { actorOf, type EventContext, type NamedBatches, type NamedFunction } from './consumer.ts'

type Consumer = Pick<NamedFunction, 'name' | 'uses' | 'handle'>

/**
 * The Lambda handler of a consumer of the table's stream. It fails where a change that failed can't be written down as a job: then Lambda halves the
 * batch until that change stands alone, tries it again, and keeps it at last.
 */
export function batchHandler(
  consumer: Pick<NamedBatches, 'name' | 'uses' | 'trigger' | 'repeatedBy' | 'handle'>,
  backend: Partial<Backend> & Pick<Backend, 'table'>,
): (event: DynamoDBStreamEvent) => Promise<void> {
  const context = contextOf(consumer)
  const granted = grantedOf(consumer.uses, backend)
  const run = (input: object) => consumer.handle({ ...input, ...context, ...granted })
  return async ({ Records }) => {
    await handleChanges(consumer, Records.map(toChange), run, { ...context, table: backend.table })
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
