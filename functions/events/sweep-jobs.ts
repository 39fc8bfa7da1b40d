import { schedule } from '../../shared/events/consumer.ts'
import { LONGEST_SCHEDULED_RUN, outOfTimeAfter } from '../../shared/events/run-time.ts'
import { sweepJobs as sweep } from '../../shared/library/removals/sweep.ts'

export const sweepJobs = schedule({
  summary: 'Gives jobs to what earlier versions left waiting without one',
  trigger: { everyMinutes: 60 },
  uses: {
    table: 'writeByDue',
  },
  timeoutSeconds: 900,
  async handle(library) {
    await sweep(library, outOfTimeAfter(LONGEST_SCHEDULED_RUN))
  },
})
