import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { withoutAws } from './engine.ts'

/** How to run an engine. */
export interface EngineCommand {
  name: string
  command: string
  /** @param folder a temporary one, its working directory and `TMPDIR` */
  args(folder: string): string[]
  /** On top of this process's environment without AWS. */
  environment?: Record<string, string>
  /** An address that answers, with whatever but a server error, once the engine is ready. */
  ready: string
}

/** Milliseconds. */
const START_LIMIT = 60_000
const STOP_LIMIT = 3_000

/** Becomes the engine, and leaves a watcher that ends its process group when standard input closes, which it does however this process ends. */
const TIED_TO_STANDARD_INPUT = 'exec 3<&0; (cat <&3 >/dev/null; kill -9 -$$) & exec "$@" 3<&- </dev/null'

/**
 * Starts an engine and waits until it answers.
 *
 * @returns how to end it, with every process it started, and to remove its folder
 * @throws Error with its last output when it doesn't answer
 */
export async function startProcess({ name, command, args, environment, ready }: EngineCommand): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'engine-'))
  const child = spawn('/bin/sh', ['-c', TIED_TO_STANDARD_INPUT, 'sh', command, ...args(folder)], {
    cwd: folder,
    env: { ...withoutAws(process.env), TMPDIR: folder, ...environment },
    // Leads a process group: what the engine starts ends with it.
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const output = tailOf(child)
  const stop = async () => {
    await end(child)
    await rm(folder, { recursive: true, force: true })
  }
  // A run that is interrupted comes to no stop.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  try {
    await once(child, 'spawn')
    await answering(ready, child)
  } catch (cause) {
    await stop()
    throw new Error(`${name} did not start:\n${output()}`, { cause })
  }
  return stop
}

async function answering(url: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + START_LIMIT
  while (Date.now() < deadline) {
    if (hasEnded(child)) throw new Error('it ended at once')
    const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined)
    await answer?.body?.cancel()
    if (answer && answer.status < 500) return
    await pause(100)
  }
  throw new Error(`nothing answered at ${url} for ${START_LIMIT / 1_000} s`)
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined) return
  if (!hasEnded(child)) {
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    const forced = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT)
    await ended
    clearTimeout(forced)
  }
  endGroup(child.pid)
}

/** Ends what is left of a process group. */
function endGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** The last output of a process, for the message when it fails. Reading it also keeps its pipes from filling up. */
function tailOf(child: ChildProcess): () => string {
  let tail = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      tail = (tail + text).slice(-4_000)
    })
  }
  return () => tail
}
