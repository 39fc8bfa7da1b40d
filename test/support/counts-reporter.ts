import { appendFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Reporter, SerializedError, TestModule, TestSpecification } from 'vitest/node'

/**
 * Vitest reporter that ends a run with the reasons of skipped tests and the line `12 passed, 0 failed, 1 skipped`. It also appends the line to
 * the file that `TEST_COUNTS` names, from which .ci/run adds up its runs.
 *
 * A failure outside of tests (a hook, a file that can't be loaded, an empty run) counts as a failed test. A file whose project this machine
 * can't run counts as skipped. A test that passed only at a further try counts as passed, and a line names it as unsteady: the file of
 * `TEST_COUNTS` also has how many there are.
 */
export default class CountsReporter implements Reporter {
  #files: readonly TestSpecification[] = []
  #line = ''

  onInit(): void {
    // Vitest prints more after the end of a run.
    process.once('exit', () => process.stdout.write(this.#line))
  }

  onTestRunStart(files: readonly TestSpecification[]): void {
    this.#files = files
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    const leftOut = this.#files.flatMap(({ project, moduleId }) => {
      const reason = project.getProvidedContext().unavailable
      return reason ? [`${project.name} ${relative(project.config.root, moduleId)}: ${reason}`] : []
    })
    const { passed, failed, skipped } = countsOf(modules, { passed: 0, failed: unhandledErrors.length, skipped: leftOut.length })
    for (const what of new Set([...leftOut, ...modules.flatMap(reasons)])) console.log(`skipped: ${what}`)
    const atFurtherTries = modules.flatMap(unsteady)
    for (const what of atFurtherTries) console.log(`unsteady: ${what}`)
    const counts = `${passed} passed, ${failed} failed, ${skipped} skipped`
    this.#line = `${counts}\n`
    if (process.env.TEST_COUNTS) appendFileSync(process.env.TEST_COUNTS, `${counts}, ${atFurtherTries.length} unsteady\n`)
    if (failed > 0) process.exitCode = 1
  }
}

interface Counts {
  passed: number
  failed: number
  skipped: number
}

function countsOf(modules: readonly TestModule[], outsideOfThem: Counts): Counts {
  const counts = { ...outsideOfThem }
  for (const module of modules) {
    // An interrupted run doesn't start every file, and doesn't finish those it started.
    if (module.state() === 'queued') counts.failed++
    for (const suite of [module, ...module.children.allSuites()]) if (suite.errors().length > 0) counts.failed++
    for (const test of module.children.allTests()) {
      const { state } = test.result()
      counts[state === 'pending' ? 'failed' : state]++
    }
  }
  return counts.passed + counts.failed + counts.skipped > 0 ? counts : { ...counts, failed: 1 }
}

/** Why tests of a file were skipped, before they ran (`skippedFor`) or by themselves (`skip` of their context). */
function reasons({ project, children }: TestModule): string[] {
  return [...children.allTests('skipped')].flatMap((test) => {
    const result = test.result()
    const reason = test.meta().skipped ?? (result.state === 'skipped' && result.note)
    return reason ? [`${project.name} ${test.fullName}: ${reason}`] : []
  })
}

/** Tests that passed at a further try. */
function unsteady({ project, children }: TestModule): string[] {
  return [...children.allTests('passed')].flatMap((test) => (test.diagnostic()?.flaky ? [`${project.name} ${test.fullName}`] : []))
}
