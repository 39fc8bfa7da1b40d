import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { DemoFile, demoFile } from '../../infra/local/demo/demo.ts'
import packageJson from '../../package.json' with { type: 'json' }
import { type Service, serviceAt } from '../support/service.ts'

const projectRoot = dirname(dirname(import.meta.dirname))
/** As npm runs it: a shell that becomes the server (`exec`), so their process ids are the same. */
const command = packageJson.scripts.start
/** How long a server has to end after SIGTERM, in milliseconds. */
const MAX_WAIT_MS = 5_000

/** The real server in a process of its own. */
export interface ServiceProcess extends Service, AsyncDisposable {
  pid: number
  directory: string
}

/** A data folder that goes with its disposal. */
export async function temporaryData(): Promise<AsyncDisposable & { directory: string }> {
  const directory = await mkdtemp(join(tmpdir(), 'media-library-bench-'))
  // Workers of a server that was killed may still write a moment.
  const remove = () => rm(directory, { recursive: true, force: true, maxRetries: 10 })
  return { directory, [Symbol.asyncDispose]: remove }
}

/**
 * Starts the server on a data folder and a free port; it ends with its disposal. Its log is in the data folder.
 * @param settings in its environment
 */
export async function startServiceProcess(directory: string, settings: NodeJS.ProcessEnv = {}): Promise<ServiceProcess> {
  const logFile = join(directory, 'server.log')
  const log = openSync(logFile, 'w')
  const child = spawn(command, {
    shell: true,
    cwd: projectRoot,
    env: { ...process.env, ...settings, PORT: '0', DATA_DIR: directory },
    stdio: ['ignore', 'pipe', log],
  })
  closeSync(log)
  const stop = () => end(child)
  try {
    const baseUrl = await readyLine(child)
    if (baseUrl === undefined) throw new Error(`the server did not start:\n${readFileSync(logFile, 'utf8')}`)
    const demo = DemoFile.parse(JSON.parse(readFileSync(demoFile(directory), 'utf8')))
    return { ...serviceAt(baseUrl, demo), pid: child.pid!, directory, stop, [Symbol.asyncDispose]: stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The address that the server says it is ready at; undefined when it ends before. */
async function readyLine(child: ChildProcess): Promise<string | undefined> {
  for await (const line of createInterface(child.stdout!)) if (line.startsWith('ready ')) return line.slice('ready '.length)
  return undefined
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), MAX_WAIT_MS)
  await ended
  clearTimeout(timer)
}
