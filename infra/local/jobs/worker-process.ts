import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Clock } from '../../../shared/backends/clock/port.ts'
import type { NamedFunction } from '../../../shared/events/consumer.ts'
import { type JobInput, JobTimedOut } from './run-job.ts'
import type { JobOrder, JobOutcome, WorkerSetup } from './worker-protocol.ts'

/** The worker process ended in the middle of a job. */
export class WorkerDied extends Error {
  override name = 'WorkerDied'
}

const program = fileURLToPath(new URL('./worker.ts', import.meta.url))
/** Makes a worker start sooner, by the cache of compiled code. */
const preload = fileURLToPath(new URL('../../start-up.cjs', import.meta.url))

/** All that a worker gets of the server's environment: where programs are, and the language. */
const KEPT_VARIABLES = ['PATH', 'HOME', 'LANG', 'TZ', 'XDG_CACHE_HOME']

/** One worker process (worker.ts), which does one job at a time. */
export class WorkerProcess {
  readonly #child: ChildProcess
  readonly #clock: Clock
  /** Settled when the process is gone. */
  readonly ended: Promise<void>
  #finish: ((outcome: JobOutcome) => void) | undefined
  #isGone = false

  constructor(setup: WorkerSetup, clock: Clock) {
    this.#clock = clock
    const kept = KEPT_VARIABLES.filter((name) => process.env[name] !== undefined)
    this.#child = fork(program, [JSON.stringify(setup)], {
      env: { ...Object.fromEntries(kept.map((name) => [name, process.env[name]])), TMPDIR: setup.temporaryDirectory },
      execArgv: ['--require', preload],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      // A process group of its own: it can be killed with the tools that it started, and Ctrl-C in a terminal doesn't reach it.
      detached: true,
    })
    this.#child.on('message', (outcome) => this.#settle(outcome as JobOutcome))
    const { promise, resolve } = Promise.withResolvers<void>()
    this.ended = promise
    const gone = (reason: string) => {
      this.#isGone = true
      this.#settle({ error: { name: 'WorkerDied', message: `the worker process ended: ${reason}` } })
      resolve()
    }
    this.#child.once('exit', (code, signal) => gone(signal ?? `exit code ${code}`))
    this.#child.once('error', (error) => gone(error.message))
  }

  get isGone(): boolean {
    return this.#isGone
  }

  /** Does a job. @throws WorkerDied, JobTimedOut, and what the consumer threw, as an error of the same name */
  async run(consumer: Pick<NamedFunction, 'name' | 'timeoutSeconds'>, event: JobInput): Promise<void> {
    const { name, timeoutSeconds } = consumer
    const { promise, resolve } = Promise.withResolvers<JobOutcome>()
    this.#finish = resolve
    let timedOut = false
    const timer = setTimeout(() => {
      timedOut = true
      this.kill()
    }, timeoutSeconds * 1000)
    // A failed send is followed by the end of the process, which settles the job.
    this.#child.send({ consumer: name, event, now: this.#clock.now() } satisfies JobOrder, () => undefined)
    const { error } = await promise.finally(() => clearTimeout(timer))
    if (timedOut) throw new JobTimedOut(name, timeoutSeconds)
    if (error) throw error.name === 'WorkerDied' ? new WorkerDied(error.message) : Object.assign(new Error(error.message), error)
  }

  /** Lets an idle process end by itself. */
  dismiss(): void {
    if (this.#child.connected) this.#child.disconnect()
  }

  /** Ends the process and whatever it started, at once. */
  kill(): void {
    if (this.#isGone || this.#child.pid === undefined) return
    try {
      process.kill(-this.#child.pid, 'SIGKILL')
    } catch {
      // Its group was gone already.
      this.#child.kill('SIGKILL')
    }
  }

  #settle(outcome: JobOutcome): void {
    this.#finish?.(outcome)
    this.#finish = undefined
  }
}
