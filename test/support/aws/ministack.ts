import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Engine, RunningEngine } from './engine.ts'
import { freePort } from './free-port.ts'
import { pythonWith } from './python-environment.ts'

/** Tables, buckets, queues, mail and secrets in one process; judges signatures and refuses unknown keys. */
export const ministack: Engine = {
  name: 'ministack 1.5.33',
  suites: 'test/**/*.aws.ts',
  start: startMinistack,
}

/** Runs it and ends it when standard input closes, which it does however this process ends. */
const launcher = `
import os, sys, threading
threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
from ministack.app import main
main()
`

const startLimit = 30_000
const stopLimit = 3_000

/** @throws EngineUnavailable when it can't be installed, Error when it doesn't answer */
export async function startMinistack(): Promise<RunningEngine> {
  const python = await pythonWith('ministack', '1.5.33')
  const temporary = await mkdtemp(join(tmpdir(), 'ministack-'))
  const port = await freePort()
  const address = `http://127.0.0.1:${port}`
  const child = spawn(python, ['-c', launcher], {
    cwd: temporary,
    env: {
      ...withoutAws(process.env),
      AUTH: 'true',
      BIND_HOST: '127.0.0.1',
      MINISTACK_HOST: '127.0.0.1',
      GATEWAY_PORT: String(port),
      IOT_MTLS_ENABLED: '0',
      SFTP_ENABLED: '0',
      TMPDIR: temporary,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const output = tailOf(child)
  const stop = async () => {
    await end(child)
    await rm(temporary, { recursive: true, force: true })
  }
  try {
    await once(child, 'spawn')
    await answering(`${address}/_ministack/health`, child)
  } catch (cause) {
    await stop()
    throw new Error(`ministack did not start:\n${output()}`, { cause })
  }
  return {
    environment: {
      AWS_ENDPOINT_URL: address,
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      AWS_REGION: 'us-east-1',
      AWS_CONFIG_FILE: '/dev/null',
      AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
      AWS_EC2_METADATA_DISABLED: 'true',
    },
    stop,
  }
}

/** The environment without anything that could lead to a real account. */
export function withoutAws(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('AWS_') || name === 'AWS_CA_BUNDLE'))
}

async function answering(url: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + startLimit
  while (Date.now() < deadline) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error('it ended at once')
    const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined)
    if (answer?.ok) return
    await pause(100)
  }
  throw new Error(`nothing answered at ${url} for ${startLimit / 1_000} s`)
}

async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const forced = setTimeout(() => child.kill('SIGKILL'), stopLimit)
  await ended
  clearTimeout(forced)
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
