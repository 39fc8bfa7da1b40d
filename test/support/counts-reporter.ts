import { appendFileSync } from 'node:fs'
import type { TestEvent } from 'node:test/reporters'
import { countsLine } from './counts.ts'

/**
 * node:test reporter that closes a run with `12 passed, 0 failed, 1 skipped`. The line is also appended to the file that
 * `TEST_COUNTS` names, from which .ci/run and the AWS runner add up their runs.
 */
export default async function* countsReporter(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of events) {
    // Each file has a summary of its own; the one of the whole run names no file.
    if (event.type !== 'test:summary' || event.data.file !== undefined) continue
    const { tests, passed, skipped, todo } = event.data.counts
    // A run can also fail outside its tests, in a hook for example.
    const failed = Math.max(tests - passed - skipped - todo, event.data.success ? 0 : 1)
    const line = countsLine({ passed, failed, skipped: skipped + todo })
    if (process.env.TEST_COUNTS) appendFileSync(process.env.TEST_COUNTS, line)
    yield line
  }
}
