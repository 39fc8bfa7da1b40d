import type { Clock } from '../../../shared/backends/clock/port.ts'
import { DEAD_LETTER_PAUSE, type DeadLetterChoice } from '../../../shared/backends/table/embedded-dead-letters.ts'
import type { Log } from '../../../shared/log/log.ts'
import type { EmbeddedBackend } from '../backend/embedded-backend.ts'
import { consumeChange, type Follower, type RunJob } from './run-job.ts'

export interface RetryOptions {
  /** Consumers whose changes may be dead letters. */
  changeConsumers: readonly Follower[]
  run: RunJob
  log: Log
}

/** Tries dead letters of changes again, each once. What fails again is a dead letter again. */
export async function retryDeadLetters(
  which: DeadLetterChoice,
  { deadChanges }: Pick<EmbeddedBackend, 'deadChanges'>,
  { changeConsumers, run, log }: RetryOptions,
): Promise<void> {
  const changes = await deadChanges.retry(which, async (name, change) => {
    const consumer = changeConsumers.find((candidate) => candidate.name === name)
    if (!consumer) throw new Error(`there is no consumer ${name}`)
    await consumeChange(run, consumer, change)
  })
  if (changes > 0) log.info('failed changes were tried again', { changes })
}

/** When a dead letter of now is tried again, for the log. */
export function nextRetry(clock: Clock): string {
  return new Date(clock.now() + DEAD_LETTER_PAUSE).toISOString()
}
