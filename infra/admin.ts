import './umask.ts'
import { text } from 'node:stream/consumers'
import { runAdmin } from './admin/program.ts'

/** The operator's command line: `npm run --silent admin -- <noun> <verb> …`. */
process.exitCode = await runAdmin(process.argv.slice(2), {
  environment: process.env,
  readInput: () => text(process.stdin),
  out: (line) => process.stdout.write(`${line}\n`),
  error: (line) => process.stderr.write(`${line}\n`),
})
