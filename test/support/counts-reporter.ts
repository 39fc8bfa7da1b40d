import { appendFileSync } from 'node:fs'
import type { Reporter, SerializedError, TestModule } from 'vitest/node'
import { type Counts, countsLine } from './counts.ts'

/**
 * Vitest reporter that closes a run with `12 passed, 0 failed, 1 skipped`, after the reasons of what was skipped. The line is also
 * appended to the file that `TEST_COUNTS` names, from which .ci/run adds up its runs.
 */
export default class CountsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    const counts = countsOf(modules, unhandledErrors.length)
    for (const line of new Set(modules.flatMap(skipReasons))) console.log(line)
    process.stdout.write(countsLine(counts))
    if (process.env.TEST_COUNTS) appendFileSync(process.env.TEST_COUNTS, countsLine(counts))
    if (counts.failed > 0) process.exitCode = 1
  }
}

/** What fails outside of tests (a hook, a file that can't be loaded, a run without any test) counts as a failed test, too. */
function countsOf(modules: readonly TestModule[], unhandledErrors: number): Counts {
  const counts: Counts = { passed: 0, failed: unhandledErrors, skipped: 0 }
  for (const module of modules) {
    for (const suite of [module, ...module.children.allSuites()]) if (suite.errors().length > 0) counts.failed++
    for (const test of module.children.allTests()) {
      const { state } = test.result()
      // A test that hasn't ended when the run does was cut off.
      counts[state === 'pending' ? 'failed' : state]++
    }
  }
  return counts.passed + counts.failed + counts.skipped > 0 ? counts : { ...counts, failed: 1 }
}

/** A line for each skipped test that says why. */
function skipReasons(module: TestModule): string[] {
  return [...module.children.allTests('skipped')].flatMap((test) => {
    const reason = test.meta().skipped
    return reason ? [`skipped: ${test.fullName}: ${reason}`] : []
  })
}
