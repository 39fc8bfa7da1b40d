import { schedule } from '../../shared/events/consumer.ts'
import { sweepUploads as sweep } from '../../shared/library/uploads/sweep.ts'

/** Milliseconds after which a run leaves the rest to the next one; well within the function's time. */
const LONGEST_RUN = 10 * 60 * 1000

export const sweepUploads = schedule({
  name: 'sweep-uploads',
  summary: 'Removes posted files that nobody needs: never finalized, or posted again after that',
  trigger: { everyMinutes: 60 },
  uses: { table: 'read', uploads: 'sweep' },
  timeoutSeconds: 900,
  async handle({ table, uploads, clock }) {
    const end = performance.now() + LONGEST_RUN
    await sweep({ table, uploads, clock }, () => performance.now() > end)
  },
})
