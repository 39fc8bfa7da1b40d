import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import type { Console } from './command.ts'

/** This process's environment, input and output. */
export const terminal: Console = {
  environment: process.env,
  isTerminal: process.stdin.isTTY === true,
  readInput: () => text(process.stdin),
  async ask(question) {
    process.stderr.write(question)
    for await (const line of createInterface({ input: process.stdin })) return line
    return ''
  },
  out: (line) => process.stdout.write(`${line}\n`),
  error: (line) => process.stderr.write(`${line}\n`),
}
