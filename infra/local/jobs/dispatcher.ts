import { setTimeout as sleep } from 'node:timers/promises'
import { queues as allQueues, type QueueName } from '../../../shared/backends/queue/queues.ts'
import type { ChangeConsumer, EventContext, EventFunction, QueueConsumer, Schedule } from '../../../shared/events/consumer.ts'
import type { EmbeddedBackend } from '../backend/embedded-backend.ts'
import { type FollowerOptions, followChanges } from './change-follower.ts'
import { pollQueue } from './queue-poller.ts'
import { restsUntil, retryFailed } from './retry-failed.ts'
import { isHeavy, type RunJob, runHere, withinTime } from './run-job.ts'
import { runTasks } from './scheduler.ts'
import { housekeeping } from './table-upkeep.ts'
import { type WorkerPool, workerPool } from './worker-pool.ts'
import type { WorkerSetup } from './worker-protocol.ts'

/** Messages at a time of a light consumer that doesn't say. */
const CONCURRENCY = 2
/** Processes of a heavy consumer that has tools, and of any other. Each has its own: a long removal must not keep imports waiting. */
const [TOOL_WORKERS, WORKERS] = [2, 1]
/** How soon commits of other processes (workers, the operator's command line) are noticed, in milliseconds. */
const POLL = 100

/** Everything that goes on behind the requests. */
export interface Dispatcher {
  /** Starts nothing more and waits for what runs; after `timeoutMs` the rest is given back to be done after the next start. */
  stop(timeoutMs: number): Promise<void>
}

/**
 * Starts all consumers: queues are polled, the table's changes followed, schedules kept. Work left over from before a crash comes
 * first. Heavy consumers run in worker processes, the others here.
 */
export function startDispatcher(
  embedded: EmbeddedBackend,
  events: readonly EventFunction[],
  { context, setup }: { context: EventContext; setup: WorkerSetup },
): Dispatcher {
  const { table, queues, parkedChanges, backend } = embedded
  const { clock, log } = context
  const queueConsumers = events.filter(isQueueConsumer)
  const workers = ({ tools }: EventFunction) => (tools ? TOOL_WORKERS : WORKERS)
  const heavy = queueConsumers.filter(isHeavy)
  const pools = new Map<EventFunction, WorkerPool>(heavy.map((consumer) => [consumer, workerPool(setup, clock, workers(consumer))]))
  const here = runHere(backend, context)
  const run: RunJob = (consumer, event) => pools.get(consumer)?.run(consumer, event) ?? withinTime(consumer, here(consumer, event))

  // Nobody else works on this data: what a killed server had in hand can be had again at once.
  queues.releaseReceived()
  const changeConsumers = events.filter(isChangeConsumer)
  const retry = (which: 'all' | 'rested') => retryFailed(which, embedded, { changeConsumers, run, log })
  // A restart may have mended what it failed for: a full disk, a bug.
  const retriedAll = retry('all').catch((error) => log.error('failed jobs could not be tried again', { error }))
  const park: FollowerOptions['park'] = async (name, change, error) => {
    await parkedChanges.park(name, change, error)
    log.error('change rests', { function: name, change: change.id, key: change.key, until: restsUntil(clock) })
  }
  const followers = changeConsumers.map((consumer) => followChanges(consumer, table, { run, log, park }))
  const wake = () => {
    for (const follower of followers) follower.wake()
  }
  const pollers = queueConsumers.map((consumer) => {
    const concurrency = isHeavy(consumer) ? workers(consumer) : (consumer.trigger.concurrency ?? CONCURRENCY)
    const name = consumer.trigger.queue as QueueName
    return pollQueue(consumer, queues.queue(name), { run, clock, log, concurrency, settings: allQueues[name], onDone: wake })
  })
  const scheduled = events.filter(isSchedule).map((schedule) => ({
    name: schedule.name,
    everyMinutes: schedule.trigger.everyMinutes,
    work: () => run(schedule, {}),
  }))
  const followed = changeConsumers.map(({ name }) => name)
  const retries = { name: 'retry-rested', everyMinutes: 1, work: () => retry('rested') }
  const tasks = runTasks([...scheduled, retries, ...housekeeping(embedded, clock, followed)], { table, clock, log })

  let isWaking = false
  const forgetCommits = table.onCommit(() => {
    if (isWaking) return
    isWaking = true
    // After the answer to the request that committed, and once for all that commit in one turn of the event loop.
    setImmediate(() => {
      isWaking = false
      wake()
    })
  })
  let seen = versionOf(table)
  const poll = setInterval(() => {
    const version = versionOf(table)
    if (version !== seen) wake()
    seen = version
  }, POLL)
  wake()

  return {
    async stop(timeoutMs) {
      clearInterval(poll)
      forgetCommits()
      const stopped = Promise.all([retriedAll, ...[...pollers, ...followers, tasks].map((pump) => pump.stop())])
      const waiting = new AbortController()
      await Promise.race([stopped, sleep(timeoutMs, undefined, { signal: waiting.signal }).catch(() => undefined)])
      waiting.abort()
      await Promise.all(pools.values().map((pool) => pool.close()))
    },
  }
}

/** Undefined while the table can't be read: followers, who are woken by it, log why. */
function versionOf(table: EmbeddedBackend['table']): number | undefined {
  try {
    return table.dataVersion()
  } catch {
    return undefined
  }
}

function isChangeConsumer(event: EventFunction): event is EventFunction & Pick<ChangeConsumer, 'trigger'> {
  return 'changes' in event.trigger
}

function isQueueConsumer(event: EventFunction): event is EventFunction & Pick<QueueConsumer, 'trigger'> {
  return 'queue' in event.trigger
}

function isSchedule(event: EventFunction): event is EventFunction & Pick<Schedule, 'trigger'> {
  return 'everyMinutes' in event.trigger
}
