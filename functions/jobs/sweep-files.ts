import { SUPERSEDED_MS, sweepJob } from '../../shared/library/media/sweep-job.ts'
import { sweepFiles as sweep } from '../../shared/library/versions/sweep.ts'
import { job } from '../../shared/runtime/consumer.ts'

export const sweepFiles = job({
  kind: sweepJob,
  group: 'short-jobs',
  summary: 'Deletes numbers of a file that its company no longer keeps',
  uses: { table: 'write' },
  seconds: 60,
  runs: 3,
  async run({ input: { mediaId, at }, job, ...library }) {
    const now = library.clock.now()
    if (at !== undefined && at > now) return { inSeconds: Math.ceil((at - now) / 1000) }
    const isDone = !(await sweep(library, mediaId))
    if (isDone || at !== undefined || job.cursor !== undefined) return undefined
    // By then all that is too many now may go. Later exchanges ask for sweeps of their own.
    return { inSeconds: SUPERSEDED_MS / 1000, cursor: 'second run' }
  },
})
