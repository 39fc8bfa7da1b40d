import type { Clock } from '../../../shared/backends/clock/port.ts'
import type { Delivery, Queue, QueueSettings } from '../../../shared/backends/queue/port.ts'
import { retryPause } from '../../../shared/backends/queue/retry-pause.ts'
import { actorOf, type NamedFunction, type QueueConsumer } from '../../../shared/events/consumer.ts'
import type { Log } from '../../../shared/log/log.ts'
import { nextRetry } from './dead-letter-retries.ts'
import type { BackgroundLoop, RunJob } from './run-job.ts'

/** How long one receive waits for messages, in seconds; a message sent meanwhile ends the wait at once. */
const WAIT_SECONDS = 20

/** Pause after the queue could not be used, in milliseconds. */
const PAUSE = 1_000

export interface PollOptions {
  run: RunJob
  clock: Clock
  log: Log
  /** Messages at a time. */
  concurrency: number
  /** Of the queue. */
  settings: QueueSettings
  /** Called after each message. */
  onDone(): void
}

/**
 * Gives a consumer the messages of its queue, `concurrency` at a time. A message is deleted when its job succeeds. Otherwise it comes back
 * after a pause that doubles, and after too many tries it becomes a dead letter. The queue's visibility time is longer than the consumer's
 * time-out, so a job never extends it.
 */
export function pollQueue(
  consumer: NamedFunction<QueueConsumer>,
  queue: Queue<unknown>,
  { run, clock, log, concurrency, settings, onDone }: PollOptions,
): BackgroundLoop {
  const running = new Set<Promise<void>>()
  let stopping = false

  async function handle({ id, message, receives, receipt }: Delivery<unknown>): Promise<void> {
    const lastTry = receives >= settings.maxReceives
    try {
      await run(consumer, { message, receives, lastTry, by: actorOf(consumer, id) })
      await queue.delete(receipt)
    } catch (error) {
      log.error('message failed', { function: consumer.name, receives, error })
      const isDead = !stopping && lastTry
      await giveBack(receipt, stopping ? 0 : retryPause(receives, settings))
      if (isDead) log.error('job rests', { function: consumer.name, job: message, until: nextRetry(clock) })
    }
    onDone()
  }

  /**
   * Makes a message visible again after so many seconds. It tries until the queue takes it, which fails on a full disk: otherwise the
   * message would be hidden for its whole visibility time.
   */
  async function giveBack(receipt: string, seconds: number): Promise<void> {
    for (;;) {
      try {
        return await queue.extend(receipt, seconds)
      } catch (error) {
        if (stopping) throw error
        await new Promise((resolve) => setTimeout(resolve, PAUSE).unref())
      }
    }
  }

  async function poll(): Promise<void> {
    while (!stopping) {
      const free = concurrency - running.size
      if (free <= 0) {
        await Promise.race(running)
        continue
      }
      for (const delivery of await queue.receive(Math.min(free, 10), { waitSeconds: WAIT_SECONDS })) {
        const job = stopping ? queue.extend(delivery.receipt, 0) : handle(delivery)
        const tracked = job.catch((error) => log.error('message failed', { function: consumer.name, error }))
        running.add(tracked)
        tracked.finally(() => running.delete(tracked))
      }
    }
  }

  keepPolling()
  return {
    async stop() {
      stopping = true
      await Promise.all(running)
    },
  }

  /** Polls until it is stopped. A queue that can't be read, of a full disk for example, is tried again. */
  async function keepPolling(): Promise<void> {
    while (!stopping) {
      try {
        await poll()
      } catch (error) {
        if (!stopping) log.error('queue could not be read', { function: consumer.name, error })
        await new Promise((resolve) => setTimeout(resolve, PAUSE).unref())
      }
    }
  }
}
