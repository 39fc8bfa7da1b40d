import { schedule } from '../../shared/events/consumer.ts'
import { LONGEST_SCHEDULED_RUN, outOfTimeAfter } from '../../shared/events/run-time.ts'
import { sweepJobs as sweep } from '../../shared/library/removals/sweep.ts'

export const sweepJobs = schedule({
  summary: 'Queues imports again that have not ended after three hours, whatever became of their jobs',
  trigger: { everyMinutes: 60 },
  uses: {
    table: 'writeByDue',
    imports: 'send',
  },
  timeoutSeconds: 900,
  async handle(library) {
    await sweep(library, outOfTimeAfter(LONGEST_SCHEDULED_RUN))
  },
})
