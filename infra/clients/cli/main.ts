#!/usr/bin/env node
import { text } from 'node:stream/consumers'
import { setFlagsFromString } from 'node:v8'
import { runProgram } from './program.ts'

// Transfers make short-lived garbage. Frequent collection takes 25 MB instead of 50.
setFlagsFromString('--semi-space-growth-factor=1')

// The reader of the answer may close the pipe early (`… | head -1`).
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    process.exit()
  })
}

/** The first interruption ends the command cleanly, the second one at once. */
const interrupted = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (interrupted.signal.aborted) process.exit(130)
    interrupted.abort()
  })
}

/** Defined by the bundler. */
declare const PACKAGE_VERSION: string | undefined
const version = typeof PACKAGE_VERSION === 'undefined' ? 'not packed' : PACKAGE_VERSION

/** Unwritten lines of the answer, which are written in large chunks. */
let answer = ''
function writeAnswer(): void {
  process.stdout.write(answer)
  answer = ''
}

function out(line: string): void {
  if (answer === '') setImmediate(writeAnswer)
  answer += `${line}\n`
  if (answer.length > 2 ** 16) writeAnswer()
}

const surroundings = {
  environment: process.env,
  out,
  bytes: process.stdout,
  error: (line: string) => void process.stderr.write(`${line}\n`),
  readInput: () => text(process.stdin),
  terminal: process.stderr.isTTY ? process.stderr : undefined,
  signal: interrupted.signal,
}
process.exitCode = await runProgram(process.argv.slice(2), surroundings, version)
