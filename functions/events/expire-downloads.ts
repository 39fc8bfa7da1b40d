import { expireDownloads as expire } from '../../shared/library/downloads/remove.ts'
import { expireZips } from '../../shared/library/zips/removal.ts'
import { schedule } from '../../shared/runtime/consumer.ts'
import { LONGEST_SCHEDULED_RUN, outOfTimeAfter } from '../../shared/runtime/run-time.ts'

export const expireDownloads = schedule({
  summary: 'Removes prepared downloads that nobody has fetched for a week, those of older versions, and zips that have ended',
  trigger: { everyMinutes: 60 },
  uses: { table: 'writeByDue', media: 'write' },
  timeoutSeconds: 900,
  async handle(library) {
    const outOfTime = outOfTimeAfter(LONGEST_SCHEDULED_RUN)
    try {
      await expire(library, outOfTime)
    } finally {
      // Downloads that fail hold up no zips.
      await expireZips(library, outOfTime)
    }
  },
})
