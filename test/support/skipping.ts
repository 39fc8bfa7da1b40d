import type { TestOptions } from 'vitest'

declare module 'vitest' {
  interface TaskMeta {
    /** Why the test is skipped. */
    skipped?: string
  }
}

/** Options of a test that can't run everywhere. A reason skips the test, and is reported with the counts. */
export function skippedFor(reason: string | false | undefined): TestOptions {
  return reason ? { skip: true, meta: { skipped: reason } } : {}
}
