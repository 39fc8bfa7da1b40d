import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { DemoFile, demoFile } from '../../infra/local/demo.ts'
import { type Service, serviceAt } from '../support/service.ts'

const projectRoot = dirname(dirname(import.meta.dirname))
/** As `npm start` starts it. */
const program = ['--import', './infra/node-version.js', 'infra/local/main.ts']
/** How long a server has to end after SIGTERM, in milliseconds. */
const PATIENCE = 5_000

/** The real server in a process of its own. */
export interface ServiceProcess extends Service, AsyncDisposable {
  pid: number
  directory: string
  /** Milliseconds from the start of the process to its ready line. */
  readyAfter: number
}

/** A data folder that goes with its disposal. */
export async function temporaryData(): Promise<AsyncDisposable & { directory: string }> {
  const directory = await mkdtemp(join(tmpdir(), 'media-library-bench-'))
  return { directory, [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }) }
}

/** Starts the server on a data folder and a free port; it ends with its disposal. Its log is in the data folder. */
export async function startServiceProcess(directory: string): Promise<ServiceProcess> {
  const logFile = join(directory, 'server.log')
  const log = openSync(logFile, 'w')
  const started = performance.now()
  const child = spawn(process.execPath, program, {
    cwd: projectRoot,
    env: { ...process.env, PORT: '0', DATA_DIR: directory },
    stdio: ['ignore', 'pipe', log],
  })
  closeSync(log)
  const baseUrl = await readyLine(child)
  const readyAfter = performance.now() - started
  if (baseUrl === undefined) throw new Error(`the server did not start:\n${readFileSync(logFile, 'utf8')}`)
  const demo = DemoFile.parse(JSON.parse(readFileSync(demoFile(directory), 'utf8')))
  const stop = () => end(child)
  return { ...serviceAt(baseUrl, demo), pid: child.pid!, directory, readyAfter, stop, [Symbol.asyncDispose]: stop }
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
  const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE)
  await ended
  clearTimeout(timer)
}
