import { ToolBusy, ToolUnavailable } from '../failure.ts'

/** A process that does one job at a time. */
export interface PooledProcess {
  /** Whether it can do another job. */
  readonly isAlive: boolean
  /** Settles when the process has ended. */
  readonly ended: Promise<unknown>
  /** Lets an idle process exit. */
  dismiss(): void
  /** Kills the process, even during a job. */
  kill(): void
}

export interface PoolSettings<Process> {
  start(): Process | Promise<Process>
  /** Most processes. */
  size: number
  /** Most jobs that may wait for a process; unlimited if absent. */
  waiting?: number
  /** Idle time after which a process is dismissed. */
  idleMilliseconds: number
  /** Jobs after which a process is replaced, against leaks; unlimited if absent. */
  jobsPerProcess?: number
}

/**
 * A pool of processes. They start when needed and end when idle; ended ones are replaced.
 *
 * No library fits: tinypool reports neither exit code nor signal of an ended process; batch-cluster reads answers as unlimited text and has
 * one time limit for all jobs.
 */
export class ProcessPool<Process extends PooledProcess> {
  readonly #settings: PoolSettings<Process>
  /** Jobs done by each process. */
  readonly #jobs = new Map<Process, number>()
  readonly #idle: { process: Process; timer: NodeJS.Timeout }[] = []
  readonly #waiting: (() => void)[] = []
  #busy = 0
  #closed = false

  constructor(settings: PoolSettings<Process>) {
    this.#settings = settings
  }

  /** Runs a job with a process of its own. @throws ToolBusy, ToolUnavailable once closed, what `start` and the job throw */
  async run<Result>(job: (process: Process) => Promise<Result>): Promise<Result> {
    await this.#takeTurn()
    try {
      const process = this.#takeIdle() ?? (await this.#start())
      try {
        return await job(process)
      } finally {
        this.#giveBack(process)
      }
    } finally {
      this.#endTurn()
    }
  }

  /** Ends all processes; running and waiting jobs fail. */
  async close(): Promise<void> {
    this.#closed = true
    for (const wake of this.#waiting.splice(0)) wake()
    for (const { timer } of this.#idle.splice(0)) clearTimeout(timer)
    const ending = [...this.#jobs.keys()]
    for (const process of ending) process.kill()
    await Promise.all(ending.map(({ ended }) => ended))
  }

  async #takeTurn(): Promise<void> {
    const { size, waiting = Number.POSITIVE_INFINITY } = this.#settings
    if (this.#busy < size) this.#busy++
    else if (this.#waiting.length >= waiting) throw new ToolBusy(`${waiting} wait already`)
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#refuseWhenClosed()
  }

  /** Hands the turn to the job that waits longest. */
  #endTurn(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#busy--
  }

  /** Takes the process used last, which is warm, so that others reach their idle limit. */
  #takeIdle(): Process | undefined {
    for (let last = this.#idle.pop(); last; last = this.#idle.pop()) {
      clearTimeout(last.timer)
      if (last.process.isAlive) return last.process
    }
    return undefined
  }

  async #start(): Promise<Process> {
    const process = await this.#settings.start()
    this.#jobs.set(process, 0)
    void process.ended.then(() => this.#jobs.delete(process))
    if (this.#closed) process.kill()
    this.#refuseWhenClosed()
    return process
  }

  #refuseWhenClosed(): void {
    if (this.#closed) throw new ToolUnavailable('the processes were ended')
  }

  #giveBack(process: Process): void {
    const { idleMilliseconds, jobsPerProcess = Number.POSITIVE_INFINITY } = this.#settings
    const jobs = (this.#jobs.get(process) ?? 0) + 1
    if (!process.isAlive || this.#closed || jobs >= jobsPerProcess) {
      process.kill()
      return
    }
    this.#jobs.set(process, jobs)
    const dismiss = () => {
      this.#idle.splice(this.#idle.indexOf(idle), 1)
      process.dismiss()
    }
    const idle = { process, timer: setTimeout(dismiss, idleMilliseconds).unref() }
    this.#idle.push(idle)
  }
}
