import { bulkCancelled } from '../../shared/library/bulk/cancel.ts'
import { bulkJob } from '../../shared/library/bulk/job.ts'
import { runBulk } from '../../shared/library/bulk/run.ts'
import { job } from '../../shared/runtime/consumer.ts'
import { outOfTimeAfter } from '../../shared/runtime/run-time.ts'

/** Milliseconds of one run: other bulk changes have their turn then. */
const RUN_MS = 20_000

export const changeMedia = job({
  kind: bulkJob,
  group: 'short-jobs',
  summary: 'Changes the files of bulk changes, and undoes that',
  uses: { table: 'write' },
  seconds: 60,
  runs: 2,
  async run({ input: { bulkId }, job: inHand, ...library }) {
    const isDone = await runBulk(library, bulkId, inHand, outOfTimeAfter(RUN_MS))
    return isDone ? undefined : {}
  },
  cancelled: (library, { bulkId }) => bulkCancelled(library, bulkId),
})
