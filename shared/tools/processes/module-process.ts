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
  /** The signal that ended it; null if it exited. */
  readonly signal: NodeJS.Signals | null
  /** Whether it was killed at its time limit. */
  readonly isTimeout: boolean

  constructor(code: number | null, signal: NodeJS.Signals | null, isTimeout = false) {
    super(`the process ended: ${signal ?? `exit code ${code}`}`)
    this.signal = signal
    this.isTimeout = isTimeout
  }
}

/** How to start the process. */
export interface ModuleStart extends Pick<ForkOptions, 'execArgv'> {
  /**
   * Whether it has its own session, which a Ctrl-C in a terminal doesn't reach. Not for processes that lower their priority (priority.ts).
   */
  detached?: boolean
  /** Command prefix (confined.ts) for processes that read untrusted files. */
  confinement?: readonly string[]
  module: URL
  args?: readonly string[]
  /** Its whole environment besides `PATH`: the service's own may contain secrets. */
  env: NodeJS.ProcessEnv
}

/**
 * A module that runs in its own process and answers each message with one message. It must exit on `disconnect`, so that it doesn't outlive
 * its parent. Concurrent orders need an `id`, which the answer repeats.
 */
export class ModuleProcess<Order extends object, Answer extends object> implements PooledProcess {
  readonly #child: ChildProcess
  readonly ended: Promise<void>
  #isAlive = true
  /** Why it has ended. */
  #failure: Error | undefined
  #isTimeout = false
  #outOfTime: ToolTimedOut | ToolBusy | undefined
  /** Orders that wait for an answer, by id. */
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
   * @param limit time after which the process is killed: a tool's limit, or milliseconds; none by default
   * @throws ProcessEnded; ToolTimedOut, ToolBusy beyond a tool's limit; the system's error if it doesn't start
   */
  async ask(order: Order, limit?: TimeLimit | number): Promise<Answer> {
    if (this.#failure) throw this.#failure
    const settle = Promise.withResolvers<Answer>()
    this.#asked.set(idOf(order), settle)
    const release = this.#killAfter(limit)
    try {
      // A failed send is followed by the end of the process, which rejects the promise.
      this.#child.send(order, () => undefined)
      return await settle.promise
    } finally {
      release()
      this.#asked.delete(idOf(order))
    }
  }

  /** @returns cancels the timer */
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

/** Starts a module that reads untrusted files: confined as far as this system supports it (confined.ts), in its own session. */
export async function startConfined<Order extends object, Answer extends object>(
  start: Omit<ModuleStart, 'detached' | 'confinement'>,
): Promise<ModuleProcess<Order, Answer>> {
  return new ModuleProcess({ ...start, detached: true, confinement: await confinement() })
}
