import { fileURLToPath } from 'node:url'
import type { Clock } from '../../../shared/backends/clock/port.ts'
import { RunCutOff } from '../../../shared/library/jobs/run.ts'
import type { NamedFunction } from '../../../shared/runtime/consumer.ts'
import { ModuleProcess, ProcessEnded } from '../../../shared/tools/processes/module-process.ts'
import { ProcessPool } from '../../../shared/tools/processes/pool.ts'
import { type JobInput, JobTimedOut } from './run-job.ts'
import type { JobOrder, JobOutcome, WorkerSetup } from './worker-protocol.ts'

/** The worker process ended in the middle of a job. */
class WorkerDied extends RunCutOff {
  override name = 'WorkerDied'
}

/** How long a process without a job stays, in milliseconds. */
const IDLE_TIME = 30_000

const program = new URL('./worker.ts', import.meta.url)
/** Makes a worker start sooner, by the cache of compiled code. */
const preload = fileURLToPath(new URL('../../start-up.cjs', import.meta.url))

/** All that a worker gets of the server's environment: where programs are, and the language. */
const KEPT_VARIABLES = ['PATH', 'HOME', 'LANG', 'TZ', 'XDG_CACHE_HOME']

/** Worker processes (worker.ts), started when there is work and dismissed when there has been none for a while. */
export interface WorkerPool {
  /** Runs a job in a worker; waits while all are busy. @throws WorkerDied, JobTimedOut, and an error named as the one that the job threw */
  run(consumer: Pick<NamedFunction, 'name' | 'timeoutSeconds'>, event: JobInput): Promise<unknown>
  /** Ends all processes; what still runs fails. */
  close(): Promise<void>
}

/**
 * Makes a pool that has no process yet.
 * @param size jobs at a time, each in a process of its own: one that a hostile file brings down takes no other along
 */
export function workerPool(setup: WorkerSetup, clock: Clock, size: number): WorkerPool {
  const kept = KEPT_VARIABLES.filter((name) => process.env[name] !== undefined)
  const env = { ...Object.fromEntries(kept.map((name) => [name, process.env[name]])), TMPDIR: setup.temporaryDirectory }
  const start = { module: program, args: [JSON.stringify(setup)], env, execArgv: ['--require', preload] }
  const pool = new ProcessPool<ModuleProcess<JobOrder, JobOutcome>>({
    start: () => new ModuleProcess(start),
    size,
    idleMilliseconds: IDLE_TIME,
  })
  return {
    async run({ name, timeoutSeconds }, event) {
      const order = () => ({ consumer: name, event, now: clock.now() })
      const { error, result } = await pool
        .run((worker) => worker.ask(order(), timeoutSeconds * 1000))
        .catch((thrown: unknown) => {
          if (!(thrown instanceof ProcessEnded)) throw thrown
          throw thrown.isTimeout ? new JobTimedOut(name, timeoutSeconds) : new WorkerDied(thrown.message)
        })
      if (error) throw Object.assign(new Error(error.message), error)
      return result
    },
    close: () => pool.close(),
  }
}
