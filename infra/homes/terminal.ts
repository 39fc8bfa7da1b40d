import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import type { Clock } from '../../shared/backends/clock/port.ts'

/** The surroundings of a command: environment, input and output. */
export interface Console {
  environment: NodeJS.ProcessEnv
  /** Of a local library; the machine's if nothing else is said. */
  clock?: Clock
  /** All of standard input. */
  readInput(): Promise<string>
  /** Whether somebody is there to ask. */
  isTerminal?: boolean
  /** Shows a question and reads one line of standard input; empty at its end. */
  ask(question: string): Promise<string>
  /** Writes a line to standard output. */
  out(line: string): void
  /** Writes a line to standard error. */
  error(line: string): void
}

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
