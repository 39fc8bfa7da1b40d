import { schedule } from '../../shared/events/consumer.ts'
import { sweepJobs as sweep } from '../../shared/library/jobs/sweep.ts'

/** Milliseconds after which a run leaves the rest to the next one; well within the function's time. */
const LONGEST_RUN = 10 * 60 * 1000

export const sweepJobs = schedule({
  name: 'sweep-jobs',
  summary: 'Queues imports and removals again that have not ended after three hours, whatever became of their jobs',
  trigger: { everyMinutes: 60 },
  uses: { table: 'writeByDue', imports: 'send', removals: 'send' },
  timeoutSeconds: 900,
  async handle({ table, imports, removals, clock, log }) {
    const end = performance.now() + LONGEST_RUN
    await sweep({ table, imports, removals, clock, log }, () => performance.now() > end)
  },
})
