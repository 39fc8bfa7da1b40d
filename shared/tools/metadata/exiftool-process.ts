import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { Socket } from 'node:net'
import type { Readable, Writable } from 'node:stream'
import { ToolFailed, ToolTimedOut, ToolUnavailable } from '../failure.ts'
import type { PooledProcess } from '../processes/pool.ts'
import type { Engine } from './engine.ts'

/** What one command may cost. */
export interface CommandLimits {
  /** Milliseconds until the process is killed. */
  milliseconds: number
  /** Bytes it may print. */
  bytes: number
}

/** What a command printed, and what it said on standard error. */
export interface Answer {
  printed: Buffer
  errors: string
}

interface Running {
  end: Buffer
  limits: CommandLimits
  chunks: Buffer[]
  bytes: number
  timer: NodeJS.Timeout
  resolve(printed: Buffer): void
  reject(reason: Error): void
}

/** Something else killed the process. Once may be the machine's doing, twice in a row is the file's. */
export class ProcessKilled extends ToolFailed {
  override name = 'ProcessKilled'
}

/** What the start of a process may cost: compiling WebAssembly takes seconds on a busy machine, and no file is to pay for it. */
const START: CommandLimits = { milliseconds: 30_000, bytes: 1_000 }

const keptErrorBytes = 2_000

/**
 * One ExifTool that stays open: a command's arguments go in on its standard input, what it prints comes back up to a line
 * `{ready<number>}` (ExifTool's `-stay_open`). It runs one command at a time and is never used again after a failure.
 */
export class ExifToolProcess implements PooledProcess {
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>
  readonly ended: Promise<void>
  #started: Promise<unknown> | undefined
  #running: Running | undefined
  #errors = ''
  #isAlive = true

  constructor(engine: Engine) {
    // Its own process group: a Ctrl-C at the terminal must not look like a file that crashes ExifTool. When this process
    // dies, ExifTool's input ends and so does ExifTool.
    this.#child = spawn(engine.command, engine.args, { stdio: ['pipe', 'pipe', 'pipe'], env: engine.env, detached: true })
    this.ended = new Promise((resolve) => {
      this.#child.once('close', (code, signal) => {
        this.#stop(
          signal
            ? new ProcessKilled(`ExifTool was killed (${signal})`)
            : new ToolFailed(`ExifTool gave up (${code}): ${this.#errors.trim()}`),
        )
        resolve()
      })
      this.#child.once('error', (error) => {
        this.#stop(new ToolUnavailable('ExifTool does not start', { cause: error }))
        resolve()
      })
    })
    // A process that dies while it is written to reports that on its exit.
    this.#child.stdin.on('error', () => {})
    this.#child.stdout.on('data', (chunk: Buffer) => this.#printed(chunk))
    this.#child.stderr.on('data', (chunk: Buffer) => {
      this.#errors = (this.#errors + chunk.toString()).slice(-keptErrorBytes)
    })
    this.#reference(false)
  }

  get isAlive(): boolean {
    return this.#isAlive
  }

  /** Runs one command. @throws ToolFailed, ToolTimedOut, ToolUnavailable */
  async run(args: readonly string[], limits: CommandLimits): Promise<Answer> {
    this.#started ??= this.#run(['-ver'], START).catch((cause: unknown) => {
      throw new ToolUnavailable('ExifTool does not start', { cause })
    })
    await this.#started
    const printed = await this.#run(args, limits)
    return { printed, errors: this.#errors.trim() }
  }

  dismiss(): void {
    this.kill()
  }

  kill(): void {
    this.#kill(new ToolUnavailable('ExifTool was closed'))
    this.#reference(true)
  }

  async #run(args: readonly string[], limits: CommandLimits): Promise<Buffer> {
    if (!this.#isAlive) throw new ToolUnavailable('ExifTool has ended')
    if (this.#running) throw new Error('an ExifTool process runs one command at a time')
    // A file can't know the number, so nothing in it can be taken for the end of the answer.
    const id = randomInt(1_000_000_000, 10_000_000_000)
    this.#errors = ''
    this.#reference(true)
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => this.#kill(new ToolTimedOut(`ExifTool took longer than ${limits.milliseconds} ms`)),
        limits.milliseconds,
      )
      this.#running = { end: Buffer.from(`{ready${id}}\n`), limits, chunks: [], bytes: 0, timer, resolve, reject }
      this.#child.stdin.write(`${args.join('\n')}\n-execute${id}\n`)
    })
  }

  #printed(chunk: Buffer): void {
    const running = this.#running
    if (!running) return
    running.chunks.push(chunk)
    running.bytes += chunk.length
    if (running.bytes > running.limits.bytes + running.end.length) {
      this.#kill(new ToolFailed(`ExifTool printed more than ${running.limits.bytes} bytes`))
      return
    }
    // Looking at the last few bytes only keeps a long answer linear; the mark may come split over chunks.
    const tail = chunk.length >= running.end.length ? chunk : Buffer.concat(running.chunks.slice(-running.end.length))
    if (!tail.subarray(-running.end.length).equals(running.end)) return
    const printed = Buffer.concat(running.chunks)
    this.#settle()
    running.resolve(printed.subarray(0, -running.end.length))
  }

  #settle(): void {
    clearTimeout(this.#running?.timer)
    this.#running = undefined
    this.#reference(false)
  }

  #kill(reason: Error): void {
    this.#stop(reason)
    this.#child.kill('SIGKILL')
  }

  #stop(reason: Error): void {
    this.#isAlive = false
    const running = this.#running
    if (!running) return
    this.#settle()
    running.reject(reason)
  }

  /** An idle process doesn't keep the program running; one with work does. */
  #reference(needed: boolean): void {
    const { stdin, stdout, stderr } = this.#child
    for (const handle of [this.#child, stdin, stdout, stderr]) {
      if (!(handle === this.#child || handle instanceof Socket)) continue
      if (needed) handle.ref()
      else handle.unref()
    }
  }
}
