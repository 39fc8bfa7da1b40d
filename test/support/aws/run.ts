/**
 * `npm run test:aws [-- files]`: runs the suites of the AWS adapters (`*.aws.ts`) over each engine this machine can have, and closes
 * with the counts over all of them. Exit code 1 when a test failed; an engine that can't be had counts its files as skipped.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, glob, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Counts, countsLine, sumCounts } from '../counts.ts'
import { type Engine, EngineUnavailable } from './engine.ts'
import { ministack, withoutAws } from './ministack.ts'

const engines: readonly Engine[] = [ministack]
const interrupted = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => interrupted.abort())

async function runOver(engine: Engine, files: string[]): Promise<Counts> {
  console.log(`\n=== AWS adapters over ${engine.name}: ${files.length} suites`)
  try {
    const running = await engine.start()
    try {
      return await runTests(files, running.environment)
    } finally {
      await running.stop()
    }
  } catch (error) {
    if (!(error instanceof EngineUnavailable)) throw error
    console.error(`\n!!! SKIPPED: ${engine.name} is not available on this machine. ${error.message}\n!!! ${files.join(', ')}\n`)
    return { passed: 0, failed: 0, skipped: files.length }
  }
}

async function runTests(files: string[], environment: Record<string, string>): Promise<Counts> {
  const folder = await mkdtemp(join(tmpdir(), 'test-counts-'))
  const counts = join(folder, 'counts')
  try {
    const reporters = ['spec', './test/support/counts-reporter.ts'].flatMap((name) => [
      `--test-reporter=${name}`,
      '--test-reporter-destination=stdout',
    ])
    const child = spawn(process.execPath, ['--test', ...reporters, ...files], {
      env: { ...withoutAws(process.env), ...environment, TEST_COUNTS: counts },
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    interrupted.signal.addEventListener('abort', () => child.kill('SIGTERM'))
    const [code] = await once(child, 'exit')
    const total = sumCounts(await readFile(counts, 'utf8').catch(() => ''))
    return code === 0 ? total : { ...total, failed: Math.max(total.failed, 1) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const asked = process.argv.slice(2)
let summary = ''
for (const engine of engines) {
  if (interrupted.signal.aborted) break
  const suites = (await Array.fromAsync(glob(engine.suites, { exclude: ['node_modules/**'] }))).sort()
  const files = asked.length > 0 ? suites.filter((file) => asked.includes(file)) : suites
  if (files.length > 0) summary += countsLine(await runOver(engine, files))
}
const total = sumCounts(summary)
process.stdout.write(`\n${countsLine(total)}`)
if (process.env.TEST_COUNTS) await appendFile(process.env.TEST_COUNTS, countsLine(total))
process.exitCode = total.failed > 0 || interrupted.signal.aborted ? 1 : 0
