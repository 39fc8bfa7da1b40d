import '../umask.ts'
import { lineBuffer } from './line-buffer.ts'
import { logAs } from './log-format.ts'
import { type RunningServer, startServer } from './server.ts'
import { readSettings } from './settings.ts'

/**
 * `npm start`: runs the service until SIGTERM or SIGINT. Standard output holds one line, `ready <base_url>`; all else goes to
 * standard error.
 */
const lines = lineBuffer((text) => process.stderr.write(text))
const say = (text: string) => {
  lines.add(text)
  lines.flush()
}

/** Lines of requests are written in batches; a warning is written at once. */
const write = (line: string, level: string) => {
  lines.add(line)
  if (level !== 'info') lines.flush()
}

// The reader of the log may end before the server does. That ends the log, not the service.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

/** Time for running requests and jobs to finish after a signal, in milliseconds. */
const GRACE = 30_000

async function start(): Promise<RunningServer> {
  const isTerminal = process.stderr.isTTY === true
  const settings = readSettings(process.env)
  const logFormat = settings.logFormat ?? (isTerminal ? 'text' : 'json')
  return startServer({ ...settings, logFormat }, { log: logAs(logFormat, write), say, isTerminal })
}

let stopping = false
function stopOn(signal: NodeJS.Signals, server: RunningServer): void {
  process.on(signal, async () => {
    // Ctrl-C comes twice through npm: from the terminal, and passed on.
    if (stopping) return
    stopping = true
    say(`${signal}: finishing what runs`)
    await server.stop(GRACE)
    process.exit(0)
  })
}

try {
  const server = await start()
  // Requests write temporary files, too: there they are linked instead of copied, and a server that was killed leaves none.
  process.env.TMPDIR = server.temporaryDirectory
  stopOn('SIGTERM', server)
  stopOn('SIGINT', server)
  process.stdout.write(`ready ${server.baseUrl}\n`)
} catch (error) {
  say(error instanceof Error ? error.message : String(error))
  process.exit(1)
}
