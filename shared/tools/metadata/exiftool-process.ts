import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import type { Readable, Writable } from 'node:stream'
import { ToolFailed, ToolUnavailable } from '../failure.ts'
import type { PooledProcess } from '../processes/pool.ts'
import { lowerSession } from '../processes/priority.ts'
import { processorTime } from '../processes/processor-time.ts'
import { limitTime, type TimeLimit, timeLimit } from '../processes/time-limit.ts'
import type { Engine } from './engine.ts'

/** The limits of one command. */
export interface CommandLimits {
  /** Time after which the process is killed. */
  time: TimeLimit
  /** Most bytes that it may print. */
  bytes: number
}

/** The output of a command, and its messages on standard error. */
export interface Answer {
  printed: Buffer
  errors: string
}

/** Runs ExifTool on a file. */
export type RunExifTool = (options: readonly string[], path: string) => Promise<Answer>

interface Command {
  /** The text that ends its answer. */
  end: Buffer
  maxBytes: number
  chunks: Buffer[]
  bytes: number
  answer: PromiseWithResolvers<Buffer>
}

/** Something else killed the process. Once may be the machine's fault; twice in a row is the file's. */
export class ProcessKilled extends ToolFailed {
  override name = 'ProcessKilled'
}

/** Limits of a process's start, separate from those of a file: compiling WebAssembly takes seconds on a busy machine. */
const START: CommandLimits = { time: timeLimit(30_000), bytes: 1_000 }

const keptErrorBytes = 2_000

/**
 * One long-lived ExifTool (`-stay_open`): reads a command's arguments from its standard input, and prints the answer up to a line
 * `{ready<number>}`. Runs one command at a time and is not used again after a failure.
 */
export class ExifToolProcess implements PooledProcess {
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>
  readonly ended: Promise<void>
  #isAlive = true
  #started: Promise<unknown> | undefined
  #command: Command | undefined
  #errors = ''

  /** @param confinement command prefix (confined.ts) */
  constructor(engine: Engine, confinement: readonly string[] = []) {
    const [program, ...args] = [...confinement, engine.command, ...engine.args]
    // In its own process group, so that a Ctrl-C in the terminal doesn't look like a file that crashes ExifTool. If this process dies,
    // ExifTool's input closes, which ends it.
    this.#child = spawn(program!, args, { stdio: ['pipe', 'pipe', 'pipe'], env: engine.env, detached: true })
    lowerSession(this.#child.pid)
    const { promise, resolve } = Promise.withResolvers<void>()
    this.ended = promise
    this.#child.once('close', (code, signal) => {
      this.#fail(
        signal ? new ProcessKilled(`ExifTool was killed (${signal})`) : new ToolFailed(`ExifTool gave up (${code}): ${this.#errors}`),
      )
      resolve()
    })
    this.#child.once('error', (error) => {
      this.#fail(new ToolUnavailable('ExifTool does not start', { cause: error }))
      resolve()
    })
    // If the process dies during a write, its exit reports that.
    this.#child.stdin.on('error', () => undefined)
    this.#child.stdout.on('data', (chunk: Buffer) => this.#printed(chunk))
    this.#child.stderr.on('data', (chunk: Buffer) => {
      this.#errors = (this.#errors + chunk.toString()).slice(-keptErrorBytes)
    })
  }

  get isAlive(): boolean {
    return this.#isAlive
  }

  /** Runs one command. @throws ToolFailed, ToolTimedOut, ToolBusy, ToolUnavailable */
  async run(args: readonly string[], limits: CommandLimits): Promise<Answer> {
    this.#started ??= this.#execute(['-ver'], START).catch((cause: unknown) => {
      throw new ToolUnavailable('ExifTool does not start', { cause })
    })
    await this.#started
    const printed = await this.#execute(args, limits)
    return { printed, errors: this.#errors.trim() }
  }

  dismiss(): void {
    this.kill()
  }

  kill(): void {
    this.#kill(new ToolUnavailable('ExifTool was closed'))
  }

  async #execute(args: readonly string[], { time, bytes }: CommandLimits): Promise<Buffer> {
    if (!this.#isAlive) throw new ToolUnavailable('ExifTool has ended')
    if (this.#command) throw new Error('an ExifTool process runs one command at a time')
    // A random number, so that no file can fake the end of the answer.
    const id = randomInt(1_000_000_000, 10_000_000_000)
    const answer = Promise.withResolvers<Buffer>()
    this.#errors = ''
    this.#command = { end: Buffer.from(`{ready${id}}\n`), maxBytes: bytes, chunks: [], bytes: 0, answer }
    const { pid } = this.#child
    const release = limitTime(
      time,
      () => pid && processorTime(pid),
      (reason) => this.#kill(reason),
    )
    this.#child.stdin.write(`${args.join('\n')}\n-execute${id}\n`)
    return await answer.promise.finally(() => {
      release()
      this.#command = undefined
    })
  }

  #printed(chunk: Buffer): void {
    if (!this.#command) return
    const { end, maxBytes, chunks, answer } = this.#command
    chunks.push(chunk)
    this.#command.bytes += chunk.length
    if (this.#command.bytes > maxBytes + end.length) this.#kill(new ToolFailed(`ExifTool printed more than ${maxBytes} bytes`))
    // Checks only the last bytes, to stay linear for long answers. The mark may be split over chunks.
    const tail = chunk.length >= end.length ? chunk : Buffer.concat(chunks.slice(-end.length))
    if (tail.subarray(-end.length).equals(end)) answer.resolve(Buffer.concat(chunks).subarray(0, -end.length))
  }

  #kill(reason: Error): void {
    this.#fail(reason)
    this.#child.kill('SIGKILL')
  }

  #fail(reason: Error): void {
    this.#isAlive = false
    this.#command?.answer.reject(reason)
  }
}
