import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  actorOf,
  type EventContext,
  type EventTable,
  type Job,
  type NamedFunction,
  namedFunctions,
  type Schedule,
} from '../../../shared/runtime/consumer.ts'
import { toolsOf } from '../../../shared/tools/tool.ts'
import type { EmbeddedBackend } from '../backend/embedded-backend.ts'
import { followChanges } from './change-follower.ts'
import { watchCommits } from './commit-watch.ts'
import { runJobs } from './job-runner.ts'
import { isFollower, isHeavy, type RunJob, runInProcess, withinTime } from './run-job.ts'
import { runTasks } from './scheduler.ts'
import { tableUpkeep } from './table-upkeep.ts'
import { workerCount } from './worker-count.ts'
import { type WorkerPool, workerPool } from './worker-pool.ts'
import type { WorkerSetup } from './worker-protocol.ts'

/** All work that runs in the background of requests. */
export interface Dispatcher {
  /** Starts nothing more and waits for what runs. After `timeoutMs` it cuts off the rest, which is done after the next start. */
  stop(timeoutMs: number): Promise<void>
}

/**
 * Starts all that goes on behind requests: it runs jobs, follows the table's changes and keeps schedules. Work that a crash interrupted comes
 * first. Heavy functions run in worker processes, the others in this one.
 * @param options.measured makes a run a measured one
 */
export function startDispatcher(
  embedded: EmbeddedBackend,
  events: EventTable,
  { context, setup, measured }: { context: EventContext; setup: WorkerSetup; measured: (run: RunJob) => RunJob },
): Dispatcher {
  const { table, backend, waker } = embedded
  const { clock, log } = context
  const functions = namedFunctions(events)
  const changeConsumers = functions.filter(isFollower)
  const kinds = functions.filter(isJob)
  const schedules = functions.filter(isSchedule)
  // Other schedules wait for the disk, however long they take.
  const heavy = [...kinds.filter(isHeavy), ...schedules.filter(({ uses }) => toolsOf(uses).length > 0)]
  const pools = new Map<NamedFunction, WorkerPool>(heavy.map((consumer) => [consumer, workerPool(setup, clock, workerCount(consumer))]))
  const runLight = runInProcess(backend, context)
  const run = measured((consumer, input) => pools.get(consumer)?.run(consumer, input) ?? withinTime(consumer, runLight(consumer, input)))

  const followers = changeConsumers.map((consumer) => followChanges(consumer, table, { run, clock, log }))
  const wake = () => {
    for (const follower of followers) follower.wake()
  }
  const runners = kinds.map((kind) => {
    const runs = isHeavy(kind) ? workerCount(kind) : kind.trigger.runs
    const runner = runJobs(kind, { table, clock, log }, { run, runs, onDone: wake })
    waker.onWake(kind.trigger.job, runner.wake)
    return runner
  })
  const scheduled = schedules.map((schedule) => ({
    name: schedule.name,
    everyMinutes: schedule.trigger.everyMinutes,
    async work() {
      await run(schedule, { by: actorOf(schedule, randomUUID()) })
    },
  }))
  const consumerNames = changeConsumers.map(({ name }) => name)
  const tasks = runTasks([...scheduled, ...tableUpkeep(embedded, clock, consumerNames)], { table, clock, log })
  const endWatch = watchCommits(table, wake)
  wake()

  return {
    async stop(timeoutMs) {
      endWatch()
      const stopped = Promise.all([...runners, ...followers, tasks].map((loop) => loop.stop()))
      const waiting = new AbortController()
      await Promise.race([stopped, sleep(timeoutMs, undefined, { signal: waiting.signal }).catch(() => undefined)])
      waiting.abort()
      await Promise.all(pools.values().map((pool) => pool.close()))
    },
  }
}

function isJob(declared: NamedFunction): declared is NamedFunction<Job> {
  return 'job' in declared.trigger
}

function isSchedule(declared: NamedFunction): declared is NamedFunction<Schedule> {
  return 'everyMinutes' in declared.trigger
}
