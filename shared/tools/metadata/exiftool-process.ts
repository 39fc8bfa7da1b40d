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
  /** After which the process is killed. */
  time: TimeLimit
  /** Bytes it may print. */
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

/** Something else killed the process. Once may be the machine's doing, twice in a row is the file's. */
export class ProcessKilled extends ToolFailed {
  override name = 'ProcessKilled'
}

/** The limits of a process's start: compiling WebAssembly takes seconds on a busy machine, and no file is to pay for it. */
const START: CommandLimits = { time: timeLimit(30_000), bytes: 1_000 }

const keptErrorBytes = 2_000

/**
 * One ExifTool that stays open: a command's arguments go in on its standard input, what it prints comes back up to a line
 * `{ready<number>}` (ExifTool's `-stay_open`). It runs one command at a time and is never used again after a failure.
 */
export class ExifToolProcess implements PooledProcess {
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>
  readonly ended: Promise<void>
  #isAlive = true
  #started: Promise<unknown> | undefined
  #command: Command | undefined
  #errors = ''

  /** @param confinement how its command begins (confined.ts) */
  constructor(engine: Engine, confinement: readonly string[] = []) {
    const [program, ...args] = [...confinement, engine.command, ...engine.args]
    // Its own process group: a Ctrl-C at the terminal must not look like a file that crashes ExifTool. When this process
    // dies, ExifTool's input ends and so does ExifTool.
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
    // A process that dies while it is written to reports that on its exit.
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
    // A file can't know the number, so nothing in it can be taken for the end of the answer.
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
    // Looking at the last few bytes only keeps a long answer linear; the mark may come split over chunks.
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
