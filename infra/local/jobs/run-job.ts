import { type Backend, grantedOf } from '../../../shared/backends/resources.ts'
import type { EventContext, EventFunction, QueueConsumer } from '../../../shared/events/consumer.ts'

/** What a consumer is started with, besides its context and what it uses: `{ message, receives }`, `{ change }` or nothing. */
export type JobEvent = Readonly<Record<string, unknown>>

/** Runs a consumer to its end. Rejects with whatever it throws, or when it was cut off. */
export type RunJob = (consumer: EventFunction, event: JobEvent) => Promise<void>

/** Took longer than its declared time-out. */
export class JobTimedOut extends Error {
  constructor(name: string, seconds: number) {
    super(`${name} was cut off after ${seconds} s`)
    this.name = 'JobTimedOut'
  }
}

/** Runs consumers in this process, each with exactly what it declared to use. */
export function runHere(backend: Backend, context: EventContext): RunJob {
  return async (consumer, event) => {
    const log = context.log.with({ function: consumer.name })
    await consumer.handle({ ...event, ...context, log, ...grantedOf(consumer.uses, backend) })
  }
}

/** Rejects with `JobTimedOut` when a consumer's declared time is over. In this process it can't be stopped; its event comes again. */
export async function withinTime(consumer: Pick<EventFunction, 'name' | 'timeoutSeconds'>, running: Promise<void>): Promise<void> {
  const { name, timeoutSeconds } = consumer
  const { promise: cutOff, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new JobTimedOut(name, timeoutSeconds)), timeoutSeconds * 1000)
  try {
    await Promise.race([running, cutOff])
  } finally {
    clearTimeout(timer)
  }
}

/** Seconds within which a light consumer is done. */
const LIGHT_SECONDS = 60

/** Whether a queue's consumer may take long, or handles hostile files: it runs in processes of its own. */
export function isHeavy({ tools = [], timeoutSeconds }: Pick<QueueConsumer, 'tools' | 'timeoutSeconds'>): boolean {
  return tools.length > 0 || timeoutSeconds > LIGHT_SECONDS
}
