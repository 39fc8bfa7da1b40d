import type { Clock } from '../../../shared/backends/clock/port.ts'
import { queues as allQueues, type QueueName } from '../../../shared/backends/queue/queues.ts'
import { REST_MILLISECONDS } from '../../../shared/backends/queue/resting.ts'
import type { EventFunction } from '../../../shared/events/consumer.ts'
import type { Log } from '../../../shared/log/log.ts'
import type { EmbeddedBackend } from '../backend/embedded-backend.ts'
import type { RunJob } from './run-job.ts'

export interface RetryOptions {
  /** Those whose changes were parked. */
  changeConsumers: readonly EventFunction[]
  run: RunJob
  log: Log
}

/**
 * Tries again what failed so often that it was put aside: jobs get all their tries anew, changes one. What fails again rests again.
 * @param which everything, as a start does, or what has rested for its time
 */
export async function retryFailed(
  which: 'all' | 'rested',
  { queues, parkedChanges }: Pick<EmbeddedBackend, 'queues' | 'parkedChanges'>,
  { changeConsumers, run, log }: RetryOptions,
): Promise<void> {
  for (const queue of Object.keys(allQueues) as QueueName[]) {
    const jobs = queues.redrive(queue, which)
    if (jobs > 0) log.info('failed jobs are tried again', { queue, jobs })
  }
  const changes = await parkedChanges.retry(which, async (name, change) => {
    const consumer = changeConsumers.find((candidate) => candidate.name === name)
    if (!consumer) throw new Error(`there is no consumer ${name}`)
    await run(consumer, { change })
  })
  if (changes > 0) log.info('failed changes were tried again', { changes })
}

/** When something that rests from now on is tried again, for the log. */
export function restsUntil(clock: Clock): string {
  return new Date(clock.now() + REST_MILLISECONDS).toISOString()
}
