import '../umask.ts'
import { terminal } from '../homes/terminal.ts'
import { runAdmin } from './program.ts'

// The reader of the answer may close the pipe early (`… | head -1`).
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    process.exit()
  })
}

/** The operator's command line: `npm run --silent admin -- <noun> <verb> …`. */
process.exitCode = await runAdmin(process.argv.slice(2), terminal)
