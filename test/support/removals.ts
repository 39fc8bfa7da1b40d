import { finishRemoval } from '../../functions/jobs/finish-removal.ts'
import type { Table } from '../../shared/backends/table/port.ts'
import { runDueJobs } from './due-jobs.ts'
import type { TestClock } from './test-clock.ts'

/** Lets removals run until none is left. Time passes over those that wait. @throws Error where one fails */
export async function runRemovals({ table, clock }: { table: Table; clock: TestClock }): Promise<void> {
  const partUploads = { abortParts: async () => undefined, receivedParts: async () => [] }
  for (;;) {
    const next = await runDueJobs({ table, clock, partUploads }, finishRemoval)
    if (next === undefined) return
    clock.ms = Math.max(clock.ms, next)
  }
}
