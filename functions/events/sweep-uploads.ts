import { sweepUploads as sweep } from '../../shared/library/uploads/sweep.ts'
import { schedule } from '../../shared/runtime/consumer.ts'
import { LONGEST_SCHEDULED_RUN, outOfTimeAfter } from '../../shared/runtime/run-time.ts'

export const sweepUploads = schedule({
  summary: 'Removes posted files that nobody needs: never finalized, or posted again after that',
  trigger: { everyMinutes: 60 },
  uses: { table: 'read', uploads: 'sweep' },
  timeoutSeconds: 900,
  async handle(library) {
    await sweep(library, outOfTimeAfter(LONGEST_SCHEDULED_RUN))
  },
})
