import { type ChildProcess, spawn } from 'node:child_process'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ToolFailed, ToolUnavailable } from '../failure.ts'
import { confinement } from '../processes/confined.ts'
import { lowerSession } from '../processes/priority.ts'
import { processorTime } from '../processes/processor-time.ts'
import { timing } from '../processes/time-limit.ts'
import { type Ffmpeg, ffmpegEnvironment, PRIORITY } from './find-ffmpeg.ts'
import type { EncodeLimits } from './limits.ts'

export interface FfmpegRun {
  ffmpeg: Ffmpeg
  args: readonly string[]
  /** The input file. Errors don't contain its path. */
  path: string
  /** Working directory, for relative names in the arguments. */
  folder: string
  limits: EncodeLimits
  signal: AbortSignal
}

/** The last characters of standard output and standard error. */
export interface FfmpegOutput {
  printed: string
  said: string
}

/**
 * Runs ffmpeg in a shell, which limits its memory ($1, KiB) if the system supports that, lowers its priority, and kills it when standard
 * input closes: then the service is gone, and nobody would stop an encode of hours.
 */
const SHELL = `ulimit -v "$1" 2>/dev/null
shift
exec 3<&0
nice -n ${PRIORITY} "$@" </dev/null 3<&- &
ffmpeg=$!
{ read -r _ <&3; kill -KILL "$ffmpeg"; } >/dev/null 2>&1 &
watch=$!
wait "$ffmpeg"
code=$?
kill -KILL "$watch" 2>/dev/null
exit "$code"`

/** Characters kept from the end of each output. */
const KEPT = 16_000

/**
 * Runs ffmpeg to its end, without network if the system supports that.
 * @throws ToolFailed, ToolTimedOut, ToolBusy, ToolUnavailable; `ENOSPC` if the disk is full; the signal's reason
 */
export async function runFfmpeg({ ffmpeg, args, path, folder, limits, signal }: FfmpegRun): Promise<FfmpegOutput> {
  const memory = String(limits.memoryMib * 1024)
  const confined = [...(await confinement()), ffmpeg.command]
  signal.throwIfAborted()
  const child = spawn('/bin/sh', ['-c', SHELL, 'sh', memory, ...confined, '-nostdin', '-hide_banner', ...args], {
    cwd: folder,
    env: ffmpegEnvironment(),
    stdio: ['pipe', 'pipe', 'pipe'],
    // A process group, so that it is killed with its children, and a Ctrl-C in the terminal doesn't reach it.
    detached: true,
  })
  lowerSession(child.pid, PRIORITY)
  let killedFor: Error | undefined
  const kill = (reason: Error) => {
    killedFor ??= reason
    killGroup(child)
  }
  const output = { printed: '', said: '' }
  child.stdout.on('data', (chunk: Buffer) => {
    output.printed = (output.printed + chunk).slice(-KEPT)
  })
  child.stderr.on('data', (chunk: Buffer) => {
    output.said = (output.said + chunk).slice(-KEPT)
  })
  const abort = () => kill(signal.reason)
  signal.addEventListener('abort', abort)
  const watch = setInterval(
    watcher(child, { folder, limits }, () => output.printed, kill),
    limits.pollMilliseconds,
  )
  try {
    const end = await ended(child)
    if (killedFor) throw killedFor
    if (end.code !== 0) throw failure(end, output.said, [path, folder])
    return output
  } finally {
    clearInterval(watch)
    signal.removeEventListener('abort', abort)
    child.stdin.destroy()
  }
}

interface End {
  code: number | null
  signal: NodeJS.Signals | null
}

function ended(child: ChildProcess): Promise<End> {
  const { promise, resolve, reject } = Promise.withResolvers<End>()
  // If a signal ended the shell, ffmpeg may still run.
  child.once('exit', (_, signal) => signal && killGroup(child))
  child.once('close', (code, signal) => resolve({ code, signal }))
  child.once('error', (cause) => reject(new ToolUnavailable('ffmpeg does not start', { cause })))
  // Standard input is never written to.
  child.stdin?.on('error', () => undefined)
  return promise
}

/** Returns a function that checks ffmpeg's limits and kills it if it exceeds them. */
function watcher(
  { pid }: ChildProcess,
  { folder, limits }: Pick<FfmpegRun, 'folder' | 'limits'>,
  printed: () => string,
  kill: (reason: Error) => void,
): () => Promise<void> {
  const used = () => pid && processorTime(pid)
  const isOver = timing(limits.time, used)
  let still = { isOver: timing(limits.stalled, used), state: '' }
  return async () => {
    const outOfTime = isOver()
    if (outOfTime) kill(outOfTime)
    const bytes = await bytesIn(folder).catch(() => 0)
    if (bytes > limits.bytes) kill(new ToolFailed(`encoding writes more than ${limits.bytes} bytes`))
    const state = `${bytes} ${framesIn(printed())}`
    if (state !== still.state) still = { isOver: timing(limits.stalled, used), state }
    const stalled = still.isOver()
    if (stalled) kill(stalled)
  }
}

async function bytesIn(folder: string): Promise<number> {
  let bytes = 0
  // One by one: a long stream has tens of thousands of files, and other work needs the same threads.
  for (const name of await readdir(folder)) bytes += (await stat(join(folder, name))).size
  return bytes
}

/** Encoded frames of the first video. @param progress output of `-progress`, newest last */
export function framesIn(progress: string): number {
  return Number(
    progress
      .match(/^frame=\s*\d+/gm)
      ?.at(-1)
      ?.replace('frame=', '') ?? 0,
  )
}

/** Exit codes of the shell for a missing program, or one that this machine can't run. */
const NOT_STARTED = [126, 127]

/** Exit codes if ffmpeg was killed: SIGHUP, SIGINT, SIGKILL (the system ran out of memory), SIGTERM. 255: ffmpeg handled a signal. */
const ENDED_BY_OTHERS = [129, 130, 137, 143, 255]

/** The reason of a failure. ffmpeg only reports it as text. */
function failure({ code, signal }: End, said: string, paths: readonly string[]): Error {
  if (code !== null && NOT_STARTED.includes(code)) return new ToolUnavailable('ffmpeg does not start')
  // All processes of the service, or of the machine, are being ended.
  if (code === null || ENDED_BY_OTHERS.includes(code)) return new ToolUnavailable(`ffmpeg was ended (${signal ?? code})`)
  // Lines that begin with a space quote the file's contents.
  const lines = said.split('\n').filter((line) => /^\S/.test(line) && !line.startsWith('Conversion failed'))
  const full = 'No space left on device'
  if (lines.some((line) => line.includes(full))) return Object.assign(new Error(`ffmpeg: ${full}`), { code: 'ENOSPC', syscall: 'write' })
  const last = paths.reduce((line, path) => line.replaceAll(path, '…'), lines.at(-1) ?? '')
  return new ToolFailed(`ffmpeg gave up (${code}): ${last.slice(0, 500)}`)
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // It had already ended.
  }
}
