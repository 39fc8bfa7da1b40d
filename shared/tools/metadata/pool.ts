import { ToolUnavailable } from '../failure.ts'
import type { Engine } from './engine.ts'
import { type CommandLimits, ExifToolProcess, ProcessKilled } from './process.ts'

/** What a command printed, and what it said on standard error. */
export interface Answer {
  printed: Buffer
  errors: string
}

export interface PoolSettings {
  /** Processes at the same time. */
  size: number
  /** Milliseconds without work after which the processes end. */
  idleMilliseconds: number
  /** Commands after which a process is replaced, so that whatever Perl never frees can't pile up. */
  commandsPerProcess: number
}

/** What the start of a process may cost: compiling WebAssembly takes seconds on a busy machine, and no file is to pay for it. */
const START: CommandLimits = { milliseconds: 30_000, bytes: 1_000 }

/** A few ExifTool processes that commands take turns on; they start when needed and end when idle. */
export class ExifToolPool {
  readonly #engine: () => Promise<Engine>
  readonly #settings: PoolSettings
  readonly #idle: ExifToolProcess[] = []
  readonly #all = new Set<ExifToolProcess>()
  readonly #waiting: (() => void)[] = []
  #busy = 0
  #closed = false
  #idleTimer: NodeJS.Timeout | undefined

  constructor(engine: () => Promise<Engine>, settings: PoolSettings) {
    this.#engine = engine
    this.#settings = settings
  }

  /** Runs a command on the next free process. @throws ToolFailed, ToolTimedOut, ToolUnavailable */
  async run(args: readonly string[], limits: CommandLimits): Promise<Answer> {
    await this.#takeTurn()
    try {
      return await this.#attempt(args, limits).catch((error) => {
        if (error instanceof ProcessKilled) return this.#attempt(args, limits)
        throw error
      })
    } finally {
      this.#busy--
      this.#waiting.shift()?.()
      if (this.#busy === 0) this.#endWhenIdle()
    }
  }

  /** Ends all processes, running commands included. */
  async close(): Promise<void> {
    this.#closed = true
    for (const wake of this.#waiting.splice(0)) wake()
    await this.#endProcesses()
  }

  async #takeTurn(): Promise<void> {
    while (!this.#closed && this.#busy >= this.#settings.size) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    if (this.#closed) throw new ToolUnavailable('ExifTool was closed')
    this.#busy++
    clearTimeout(this.#idleTimer)
  }

  async #attempt(args: readonly string[], limits: CommandLimits): Promise<Answer> {
    const process = this.#idle.pop() ?? (await this.#start())
    try {
      const printed = await process.run(args, limits)
      return { printed, errors: process.errors }
    } finally {
      if (process.alive && process.commands < this.#settings.commandsPerProcess && !this.#closed) this.#idle.push(process)
      else this.#discard(process)
    }
  }

  async #start(): Promise<ExifToolProcess> {
    const engine = await this.#engine()
    if (this.#closed) throw new ToolUnavailable('ExifTool was closed')
    const process = new ExifToolProcess(engine)
    this.#all.add(process)
    try {
      await process.run(['-ver'], START)
    } catch (cause) {
      this.#discard(process)
      throw new ToolUnavailable('ExifTool does not start', { cause })
    }
    return process
  }

  #discard(process: ExifToolProcess): void {
    void process.end().then(() => this.#all.delete(process))
  }

  #endWhenIdle(): void {
    this.#idleTimer = setTimeout(() => void this.#endProcesses(), this.#settings.idleMilliseconds)
    this.#idleTimer.unref()
  }

  async #endProcesses(): Promise<void> {
    clearTimeout(this.#idleTimer)
    this.#idle.length = 0
    const ending = [...this.#all]
    await Promise.all(ending.map((process) => process.end()))
    for (const process of ending) this.#all.delete(process)
  }
}
