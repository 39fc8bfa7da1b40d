import { Conflict } from '../../shared/library/errors.ts'
import { expireTrash as expire } from '../../shared/library/trash/expiry.ts'
import { trashJob } from '../../shared/library/tree/trash.ts'
import { job } from '../../shared/runtime/consumer.ts'
import { outOfTimeAfter } from '../../shared/runtime/run-time.ts'

/** Milliseconds of one run: trash of other companies has its turn then. */
const RUN_MS = 60_000

export const expireTrash = job({
  kind: trashJob,
  group: 'long-jobs',
  summary: 'Deletes for good what has been in a trashcan for 30 days',
  uses: { table: 'writeByDue' },
  seconds: 900,
  run: ({ companyId, ...library }) => expire(library, companyId, outOfTimeAfter(RUN_MS)),
  async cancelled() {
    throw new Conflict('Without this job the trashcans of the company would never be emptied.')
  },
})
