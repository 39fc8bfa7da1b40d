import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { runAdmin } from '../../../infra/admin/program.ts'
import { openEmbeddedBackend } from '../../../infra/local/backend/embedded-backend.ts'
import { type Clock, systemClock } from '../../../shared/backends/clock/port.ts'

/** What a command line left behind. */
export interface Outcome {
  code: number
  out: string
  error: string
}

/** Makes an empty library, as the first start of a server does. */
export async function makeLibrary(directory: string): Promise<void> {
  const { close } = await openEmbeddedBackend({ directory, baseUrl: 'http://x', mailSender: 'a@example.com', clock: systemClock })
  await close()
}

/** Makes an empty library for the tests of a file or of a description, which takes it away with them. @returns its folder */
export async function temporaryLibrary(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'media-library-'))
  afterAll(() => rm(directory, { recursive: true, force: true }))
  await makeLibrary(directory)
  return directory
}

/** Runs a command line on a data folder. @param input what standard input holds @param settings environment variables */
export async function runCommand(
  directory: string,
  args: readonly string[],
  input = '',
  settings: Record<string, string> = {},
  clock: Clock = systemClock,
): Promise<Outcome> {
  const out: string[] = []
  const error: string[] = []
  const code = await runAdmin(args, {
    environment: { DATA_DIR: directory, ...settings },
    clock,
    readInput: async () => input,
    async ask(question) {
      error.push(question)
      return input.split('\n')[0]!
    },
    out: (line) => out.push(line),
    error: (line) => error.push(line),
  })
  return { code, out: out.join('\n'), error: error.join('\n') }
}

/** Runs a command with `--json` that has to succeed. @returns the one JSON value that it printed */
// biome-ignore lint/suspicious/noExplicitAny: the tests state what they expect of it.
export async function runJson(directory: string, args: readonly string[], input?: string): Promise<any> {
  const { code, out, error } = await runCommand(directory, [...args, '--json'], input)
  if (code !== 0) throw new Error(`${args.join(' ')}: exit ${code}: ${error}`)
  return JSON.parse(out)
}
