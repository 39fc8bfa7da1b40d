import { schedule } from '../../shared/events/consumer.ts'
import { LONGEST_SCHEDULED_RUN, outOfTimeAfter } from '../../shared/events/run-time.ts'
import { expireDownloads as expire } from '../../shared/library/downloads/remove.ts'

export const expireDownloads = schedule({
  summary: 'Removes prepared downloads that nobody has fetched for a week, and those of older versions',
  trigger: { everyMinutes: 60 },
  uses: { table: 'writeByDue', media: 'write' },
  timeoutSeconds: 900,
  async handle(library) {
    await expire(library, outOfTimeAfter(LONGEST_SCHEDULED_RUN))
  },
})
