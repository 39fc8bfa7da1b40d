import { schedule } from '../../shared/events/consumer.ts'
import { expireTrash as expire } from '../../shared/library/trash/expiry.ts'

/** Milliseconds after which a run leaves the rest to the next one; well within the function's time. */
const LONGEST_RUN = 10 * 60 * 1000

export const expireTrash = schedule({
  name: 'expire-trash',
  summary: 'Deletes for good what has been in a trashcan for 30 days',
  trigger: { everyMinutes: 60 },
  uses: { table: 'writeByDue' },
  timeoutSeconds: 900,
  async handle({ table, clock }) {
    const end = performance.now() + LONGEST_RUN
    await expire({ table, clock }, () => performance.now() > end)
  },
})
