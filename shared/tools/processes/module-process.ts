import { type ChildProcess, type ForkOptions, fork } from 'node:child_process'
import type { ToolBusy, ToolTimedOut } from '../failure.ts'
import { confinement } from './confined.ts'
import type { PooledProcess } from './pool.ts'
import { lowerSession } from './priority.ts'
import { processorTime } from './processor-time.ts'
import { limitTime, type TimeLimit } from './time-limit.ts'

/** A process ended before it answered. */
export class ProcessEnded extends Error {
  override name = 'ProcessEnded'
  /** The signal that ended it; null when it ended by itself. */
  readonly signal: NodeJS.Signals | null
  /** Whether it was ended because its time was over. */
  readonly isTimeout: boolean

  constructor(code: number | null, signal: NodeJS.Signals | null, isTimeout = false) {
    super(`the process ended: ${signal ?? `exit code ${code}`}`)
    this.signal = signal
    this.isTimeout = isTimeout
  }
}

/** How the process starts. */
export interface ModuleStart extends Pick<ForkOptions, 'execArgv'> {
  /** Whether it has a session of its own: a Ctrl-C in a terminal doesn't reach it. Not for a process that lowers its priority (priority.ts). */
  detached?: boolean
  /** How its command begins (confined.ts), for one that reads what others sent. */
  confinement?: readonly string[]
  module: URL
  args?: readonly string[]
  /** All that it gets of an environment, besides `PATH`: the service's own may hold secrets. */
  env: NodeJS.ProcessEnv
}

/**
 * A module that runs in a process of its own and answers each message that it is sent with one. It is to end with its channel
 * (`disconnect`), so that none outlives the process that started it. Of a module that is asked several things at a time each order has an `id`,
 * which its answer repeats.
 */
export class ModuleProcess<Order extends object, Answer extends object> implements PooledProcess {
  readonly #child: ChildProcess
  readonly ended: Promise<void>
  #isAlive = true
  /** Why it is gone. */
  #failure: Error | undefined
  #isTimeout = false
  #outOfTime: ToolTimedOut | ToolBusy | undefined
  /** The orders that wait for an answer, by id. */
  readonly #asked = new Map<unknown, PromiseWithResolvers<Answer>>()

  constructor({ detached = false, confinement = [], module, args = [], env, execArgv = [] }: ModuleStart) {
    const [execPath, ...confinedArgv] = [...confinement, process.execPath, ...execArgv]
    this.#child = fork(module, args, {
      env: { PATH: process.env.PATH, ...env },
      execPath,
      execArgv: confinedArgv,
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      detached,
    })
    if (detached) lowerSession(this.#child.pid)
    const { promise, resolve } = Promise.withResolvers<void>()
    this.ended = promise
    const end = (reason: Error) => {
      this.#isAlive = false
      this.#failure = reason
      for (const { reject } of this.#asked.values()) reject(reason)
      resolve()
    }
    this.#child.on('message', (answer) => this.#asked.get(idOf(answer as Answer))?.resolve(answer as Answer))
    this.#child.once('exit', (code, signal) => end(this.#outOfTime ?? new ProcessEnded(code, signal, this.#isTimeout)))
    this.#child.once('error', end)
  }

  get isAlive(): boolean {
    return this.#isAlive
  }

  /**
   * Sends an order and resolves to its answer.
   * @param limit after which the process is killed: that of a tool, or milliseconds; never where absent
   * @throws ProcessEnded; ToolTimedOut, ToolBusy beyond the limit of a tool; the system's error where it doesn't start
   */
  async ask(order: Order, limit?: TimeLimit | number): Promise<Answer> {
    if (this.#failure) throw this.#failure
    const settle = Promise.withResolvers<Answer>()
    this.#asked.set(idOf(order), settle)
    const release = this.#killAfter(limit)
    try {
      // A failed send is followed by the end of the process, which says why.
      this.#child.send(order, () => undefined)
      return await settle.promise
    } finally {
      release()
      this.#asked.delete(idOf(order))
    }
  }

  /** @returns lets it live */
  #killAfter(limit: TimeLimit | number | undefined): () => void {
    const { pid } = this.#child
    if (limit === undefined || pid === undefined) return () => undefined
    if (typeof limit === 'number') {
      const timer = setTimeout(() => {
        this.#isTimeout = true
        this.kill()
      }, limit)
      return () => clearTimeout(timer)
    }
    return limitTime(
      limit,
      () => processorTime(pid),
      (reason) => {
        this.#outOfTime = reason
        this.kill()
      },
    )
  }

  dismiss(): void {
    if (this.#child.connected) this.#child.disconnect()
  }

  kill(): void {
    const { pid, exitCode, signalCode } = this.#child
    if (pid === undefined || exitCode !== null || signalCode !== null) return
    this.#isAlive = false
    this.#child.kill('SIGKILL')
  }
}

function idOf(message: object): unknown {
  return 'id' in message ? message.id : undefined
}

/** Starts a module that reads what others sent: confined as far as this system lets it (confined.ts), in a session of its own. */
export async function startConfined<Order extends object, Answer extends object>(
  start: Omit<ModuleStart, 'detached' | 'confinement'>,
): Promise<ModuleProcess<Order, Answer>> {
  return new ModuleProcess({ ...start, detached: true, confinement: await confinement() })
}
