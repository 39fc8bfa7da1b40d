import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll } from 'vitest'
import { runProgram } from '../../infra/clients/cli/program.ts'

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

/** The command line of clients, with a home of its own. */
export async function commandLine(environment: Record<string, string> = {}) {
  const home = await mkdtemp(join(tmpdir(), 'command-line-'))
  afterAll(() => rm(home, { recursive: true, force: true }))
  const environmentOf = (more: Record<string, string>): NodeJS.ProcessEnv => ({
    ...{ PATH: process.env.PATH, HOME: home },
    ...environment,
    ...more,
  })
  const tokens = new WeakMap<ChildProcess, string | undefined>()
  const outcome = (code: number | null, stdout: string, stderr: string, token: string | undefined): Ended => {
    if (token && `${stdout}${stderr}`.includes(token)) throw new Error('the command line tells the token')
    const lines = stdout.split('\n').filter(Boolean)
    return {
      ...{ code, stdout, stderr, last: lines.at(-1) ?? '' },
      // Standard output may be an archive.
      get json() {
        return lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line))
      },
    }
  }
  return {
    home,
    /** Starts it as a process, which can be killed. */
    start(args: readonly string[], more: Record<string, string> = {}): ChildProcess {
      const env = environmentOf(more)
      const child = spawn(process.execPath, ['--require', './infra/start-up.cjs', 'infra/clients/cli/main.ts', ...args], { env })
      tokens.set(child, env.MEDIA_LIBRARY_TOKEN)
      return child
    },
    async ended(child: ChildProcess): Promise<Ended> {
      const [stdout, stderr, [code]] = await Promise.all([text(child.stdout!), text(child.stderr!), once(child, 'close')])
      return outcome(code, stdout, stderr, tokens.get(child))
    },
    /** Runs it in this process, which is quicker. @param input of its standard input */
    async run(args: readonly string[], { input = '', ...more }: Record<string, string> = {}): Promise<Ended> {
      const env = environmentOf(more)
      const [said, warned]: [string[], string[]] = [[], []]
      const bytes = new Writable({
        write(chunk: Buffer, _encoding, done) {
          said.push(chunk.toString('latin1'))
          done()
        },
      })
      const surroundings = {
        environment: env,
        out: (line: string) => void said.push(`${line}\n`),
        bytes,
        error: (line: string) => void warned.push(`${line}\n`),
        readInput: async () => input,
        terminal: undefined,
        signal: new AbortController().signal,
      }
      const code = await runProgram(args, surroundings, 'not packed')
      return outcome(code, said.join(''), warned.join(''), env.MEDIA_LIBRARY_TOKEN)
    },
  }
}
