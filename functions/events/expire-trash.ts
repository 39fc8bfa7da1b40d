import { expireShares } from '../../shared/library/shares/removal.ts'
import { expireTrash as expire } from '../../shared/library/trash/expiry.ts'
import { schedule } from '../../shared/runtime/consumer.ts'
import { LONGEST_SCHEDULED_RUN, outOfTimeAfter } from '../../shared/runtime/run-time.ts'

export const expireTrash = schedule({
  summary: 'Deletes for good what has been in a trashcan for 30 days, and share links that ended 30 days ago',
  trigger: { everyMinutes: 60 },
  uses: { table: 'writeByDue' },
  timeoutSeconds: 900,
  async handle(library) {
    const outOfTime = outOfTimeAfter(LONGEST_SCHEDULED_RUN)
    await expire(library, outOfTime)
    await expireShares(library, outOfTime)
  },
})
