import { expireZips } from '../../shared/library/zips/removal.ts'
import { schedule } from '../../shared/runtime/consumer.ts'
import { LONGEST_SCHEDULED_RUN, outOfTimeAfter } from '../../shared/runtime/run-time.ts'

export const expireDownloads = schedule({
  summary: 'Removes zips that have ended',
  trigger: { everyMinutes: 60 },
  uses: { table: 'writeByDue', media: 'write' },
  timeoutSeconds: 900,
  async handle(library) {
    await expireZips(library, outOfTimeAfter(LONGEST_SCHEDULED_RUN))
  },
})
