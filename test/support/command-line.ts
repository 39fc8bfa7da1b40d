import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll } from 'vitest'

/** What a run of the command line ended with. */
export interface Ended {
  code: number | null
  stdout: string
  stderr: string
  /** Lines of standard output as JSON. */
  json: Record<string, unknown>[]
  /** The last line of standard output. */
  last: string
}

/** The command line of clients, as a process with a home of its own. */
export async function commandLine(environment: Record<string, string> = {}) {
  const home = await mkdtemp(join(tmpdir(), 'command-line-'))
  afterAll(() => rm(home, { recursive: true, force: true }))
  const tokens = new WeakMap<ChildProcess, string | undefined>()
  const start = (args: readonly string[], more: Record<string, string> = {}): ChildProcess => {
    const env = { PATH: process.env.PATH, HOME: home, ...environment, ...more }
    // The cache of compiled code makes it start in a third of the processor time.
    const child = spawn(process.execPath, ['--require', './infra/start-up.cjs', 'infra/cli/main.ts', ...args], { env })
    tokens.set(child, 'MEDIA_LIBRARY_TOKEN' in env ? String(env.MEDIA_LIBRARY_TOKEN) : undefined)
    return child
  }
  const ended = async (child: ChildProcess): Promise<Ended> => {
    const [stdout, stderr, [code]] = await Promise.all([text(child.stdout!), text(child.stderr!), once(child, 'close')])
    const token = tokens.get(child)
    if (token && `${stdout}${stderr}`.includes(token)) throw new Error('the command line tells the token')
    const lines = stdout.split('\n').filter(Boolean)
    const json = lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line))
    return { code, stdout, stderr, json, last: lines.at(-1) ?? '' }
  }
  return {
    home,
    start,
    ended,
    /** @param input of its standard input */
    run: (args: readonly string[], { input = '', ...more }: Record<string, string> = {}) => {
      const child = start(args, more)
      child.stdin!.end(input)
      return ended(child)
    },
  }
}
