import { expirePartUploads } from '../../shared/library/uploads/ending.ts'
import { sweepUploads as sweep } from '../../shared/library/uploads/sweep.ts'
import { schedule } from '../../shared/runtime/consumer.ts'
import { LONGEST_SCHEDULED_RUN, outOfTimeAfter } from '../../shared/runtime/run-time.ts'

export const sweepUploads = schedule({
  summary:
    'Removes posted files that nobody needs: never finalized, or posted again after that. Ends uploads in parts that nobody goes on with',
  trigger: { everyMinutes: 60 },
  uses: { table: 'writeByDue', uploads: 'sweep', partUploads: 'sweep' },
  timeoutSeconds: 900,
  async handle(library) {
    const outOfTime = outOfTimeAfter(LONGEST_SCHEDULED_RUN)
    await expirePartUploads(library, outOfTime)
    await sweep(library, outOfTime)
  },
})
