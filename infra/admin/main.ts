import '../umask.ts'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { runAdmin } from './program.ts'

// The reader of the answer may close the pipe early (`… | head -1`).
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    process.exit()
  })
}

/** The operator's command line: `npm run --silent admin -- <noun> <verb> …`. */
process.exitCode = await runAdmin(process.argv.slice(2), {
  environment: process.env,
  readInput: () => text(process.stdin),
  async ask(question) {
    process.stderr.write(question)
    for await (const line of createInterface({ input: process.stdin })) return line
    return ''
  },
  out: (line) => process.stdout.write(`${line}\n`),
  error: (line) => process.stderr.write(`${line}\n`),
})
