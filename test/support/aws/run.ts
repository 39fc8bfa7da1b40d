/**
 * `npm run test:aws [-- files]`: runs the suites of the AWS adapters (`*.aws.ts`) over each engine this machine can have, two engines at
 * a time, and closes with the counts over all of them. Exit code 1 when a test failed; an engine that can't be had counts its files as
 * skipped.
 */
import { appendFile, glob } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { type Counts, countsLine, sumCounts } from '../counts.ts'
import { type Assignment, assignments } from './assignments.ts'
import { type Engine, EngineUnavailable } from './engine.ts'
import { runTests } from './test-run.ts'

const asked = process.argv.slice(2)
const interrupted = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => interrupted.abort())

interface Report {
  title: string
  counts: Counts
}

async function carryOut({ engine, suites, except = [] }: Assignment): Promise<Report | undefined> {
  const found = (await Array.fromAsync(glob(suites, { exclude: ['node_modules/**', ...except] }))).sort()
  const files = asked.length > 0 ? found.filter((file) => asked.includes(file)) : found
  if (files.length === 0 || interrupted.signal.aborted) return undefined
  const started = performance.now()
  const { counts, output } = await runOver(engine, files)
  const seconds = Math.round((performance.now() - started) / 1000)
  const title = `${engine.name} ${engine.version}, ${files.length} files, ${seconds} s`
  console.log(`\n=== AWS adapters over ${title}\n${output}`)
  return { title, counts }
}

async function runOver(engine: Engine, files: string[]): Promise<{ counts: Counts; output: string }> {
  try {
    const running = await engine.start(interrupted.signal)
    try {
      return await runTests('aws', files, { ...running.environment, TEST_ENGINE: engine.name }, interrupted.signal)
    } finally {
      await running.stop()
    }
  } catch (error) {
    if (!(error instanceof EngineUnavailable)) return { counts: { passed: 0, failed: 1, skipped: 0 }, output: String(error) }
    const output = `!!! SKIPPED: ${engine.name} is not available on this machine: ${error.message}\n!!! ${files.join(', ')}\n`
    return { counts: { passed: 0, failed: 0, skipped: files.length }, output }
  }
}

/** Takes assignments off the common list until it is empty: each engine is installed, started, used and ended. */
async function lane(waiting: Iterator<Assignment>): Promise<Report[]> {
  const reports: Report[] = []
  for (let next = waiting.next(); !next.done; next = waiting.next()) {
    const report = await carryOut(next.value)
    if (report) reports.push(report)
  }
  return reports
}

const waiting = assignments.values()
const lanes = Array.from({ length: Math.min(2, availableParallelism()) }, () => lane(waiting))
const reports = (await Promise.all(lanes)).flat()
for (const { title, counts } of reports) process.stdout.write(`${title}: ${countsLine(counts)}`)
const total = sumCounts(reports.map(({ counts }) => countsLine(counts)).join(''))
process.stdout.write(`\n${countsLine(total)}`)
if (process.env.TEST_COUNTS) await appendFile(process.env.TEST_COUNTS, countsLine(total))
process.exitCode = total.failed > 0 || interrupted.signal.aborted ? 1 : 0
