import { inTime } from '../../../shared/deadline.ts'
import type { JobActor } from '../../../shared/library/actor.ts'
import { RunCutOff } from '../../../shared/library/jobs/run.ts'
import { type Backend, grantedOf } from '../../../shared/resources.ts'
import type { EventContext, NamedBatches, NamedFunction } from '../../../shared/runtime/consumer.ts'
import { toolsOf } from '../../../shared/tools/tool.ts'

/** What a function is started with, besides its context and what it uses: who it acts as; `job`, or `events`. */
export interface JobInput {
  readonly by: JobActor
  readonly [name: string]: unknown
}

/** Runs a consumer to its end. @returns what it returns. Rejects with what the consumer throws, or when it was cut off. */
export type RunJob = (consumer: NamedFunction, input: JobInput) => Promise<unknown>

/** Whether a function consumes the table's changes. */
export const isFollower = (declared: NamedFunction): declared is NamedFunction & NamedBatches => 'batchesOf' in declared.trigger

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
