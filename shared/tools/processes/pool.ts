import { ToolBusy, ToolUnavailable } from '../failure.ts'

/** A process that does one job at a time. */
export interface PooledProcess {
  /** Whether it can do another job. */
  readonly isAlive: boolean
  /** Settled when it is gone. */
  readonly ended: Promise<unknown>
  /** Lets it end by itself; it has no job. */
  dismiss(): void
  /** Ends it at once, in the middle of a job if need be. */
  kill(): void
}

export interface PoolSettings<Process> {
  start(): Process | Promise<Process>
  /** Processes at the same time. */
  size: number
  /** Jobs that may wait for a process; any number when absent. */
  waiting?: number
  /** Milliseconds without a job after which a process is dismissed. */
  idleMilliseconds: number
  /** Jobs after which a process is replaced, so that what it never frees can't pile up; any number when absent. */
  jobsPerProcess?: number
}

/**
 * A few processes that jobs take turns on. They start when needed and end when idle; one that ended is replaced.
 *
 * No library fits: tinypool tells neither exit code nor signal of a process that ended, batch-cluster reads answers as text, without a
 * limit, and knows one time limit for all jobs.
 */
export class ProcessPool<Process extends PooledProcess> {
  readonly #settings: PoolSettings<Process>
  /** All processes, with the number of jobs that they have done. */
  readonly #jobs = new Map<Process, number>()
  readonly #idle: { process: Process; timer: NodeJS.Timeout }[] = []
  readonly #waiting: (() => void)[] = []
  #busy = 0
  #closed = false

  constructor(settings: PoolSettings<Process>) {
    this.#settings = settings
  }

  /** Gives a job a process of its own until it settles. @throws ToolBusy, ToolUnavailable once closed, what `start` and the job throw */
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

  /** Ends all processes; jobs that run or wait fail. */
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

  /** Hands the turn on to whoever waits longest. */
  #endTurn(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#busy--
  }

  /** The process that was used last is warm; the others may reach the end of their idle time. */
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
