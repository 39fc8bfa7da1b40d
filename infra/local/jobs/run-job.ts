import type { Change } from '../../../shared/backends/table/port.ts'
import { inTime } from '../../../shared/deadline.ts'
import type { JobActor } from '../../../shared/library/actor.ts'
import type { DomainEvent } from '../../../shared/library/events/domain-events.ts'
import { RunCutOff } from '../../../shared/library/jobs/run.ts'
import { type Backend, grantedOf } from '../../../shared/resources.ts'
import {
  actorOf,
  type BatchConsumer,
  type ChangeConsumer,
  type EventContext,
  eventsFor,
  type NamedFunction,
} from '../../../shared/runtime/consumer.ts'
import { toolsOf } from '../../../shared/tools/tool.ts'

/** What a function is started with, besides its context and what it uses: who it acts as; `message`, `receives` and `lastTry`, or `event`, or `events`. */
export interface JobInput {
  readonly by: JobActor
  readonly [name: string]: unknown
}

/** Runs a consumer to its end. @returns what it returns. Rejects with what the consumer throws, or when it was cut off. */
export type RunJob = (consumer: NamedFunction, input: JobInput) => Promise<unknown>

/** A consumer of changes, one at a time or many. */
export type Follower = NamedFunction<ChangeConsumer> | NamedFunction<BatchConsumer>

/** Runs a consumer for the events that it wants of a change. Rejects with the first failure. @returns whether it wants any */
export async function consumeChange(run: RunJob, consumer: Follower, change: Change): Promise<boolean> {
  if (takesMany(consumer)) {
    const { failed, isWanted } = await consumeTogether(run, consumer, [change])
    if (failed !== undefined) throw new Error('the change failed')
    return isWanted
  }
  const by = actorOf(consumer, change.id)
  const events = eventsFor(consumer, change)
  for (const event of events) await run(consumer, { event, by })
  return events.length > 0
}

/**
 * Runs a consumer of many changes for the events that it wants of some. Rejects when all failed.
 * @returns whether it wants any, and the position of the first change of which one failed
 */
export async function consumeTogether(
  run: RunJob,
  consumer: NamedFunction<BatchConsumer>,
  changes: readonly Change[],
): Promise<{ isWanted: boolean; failed?: number }> {
  const eventsOfChanges = changes.map((change) => eventsFor(consumer, change))
  const events = eventsOfChanges.flat()
  if (events.length === 0) return { isWanted: false }
  const unhandled = new Set((await run(consumer, { events, by: actorOf(consumer, changes[0]!.id) })) as DomainEvent[])
  const failed = eventsOfChanges.findIndex((those) => those.some((event) => unhandled.has(event)))
  return { isWanted: true, ...(failed >= 0 && { failed }) }
}

export function isFollower(declared: NamedFunction): declared is Follower {
  return 'events' in declared.trigger || 'batchesOf' in declared.trigger
}

export const takesMany = (consumer: Follower): consumer is NamedFunction<BatchConsumer> => 'batchesOf' in consumer.trigger

/** Took longer than its declared time-out. */
export class JobTimedOut extends RunCutOff {
  constructor(name: string, seconds: number) {
    super(`${name} was cut off after ${seconds} s`)
    this.name = 'JobTimedOut'
  }
}

/** Runs consumers in this process, each with exactly what it declared to use. */
export function runInProcess(backend: Backend, context: EventContext): RunJob {
  return async (consumer, input) => {
    const log = context.log.with({ function: consumer.name })
    return consumer.handle({ ...input, ...context, log, ...grantedOf(consumer.uses, backend) })
  }
}

/** Rejects with `JobTimedOut` when a consumer's declared time is over. The job can't be stopped in this process; its event comes again. */
export function withinTime<T>(consumer: Pick<NamedFunction, 'name' | 'timeoutSeconds'>, running: Promise<T>): Promise<T> {
  const { name, timeoutSeconds } = consumer
  return inTime(running, timeoutSeconds * 1000, () => {
    throw new JobTimedOut(name, timeoutSeconds)
  })
}

/** Longest time-out of a light consumer, in seconds. */
const LIGHT_SECONDS = 60

/** Whether a consumer runs in processes of its own: it may take long, or it has tools, which handle hostile files. */
export function isHeavy({ uses, timeoutSeconds }: Pick<NamedFunction, 'uses' | 'timeoutSeconds'>): boolean {
  return toolsOf(uses).length > 0 || timeoutSeconds > LIGHT_SECONDS
}

/** Background work that goes on until it is stopped. */
export interface BackgroundLoop {
  /** Starts nothing more, and waits for what runs. */
  stop(): Promise<void>
}
