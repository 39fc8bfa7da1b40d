import { sweepJob } from '../../shared/library/media/sweep-job.ts'
import { sweepFiles as sweep } from '../../shared/library/versions/sweep.ts'
import { job } from '../../shared/runtime/consumer.ts'

export const sweepFiles = job({
  kind: sweepJob,
  group: 'short-jobs',
  summary: 'Deletes numbers of a file that its company keeps no longer',
  uses: { table: 'write' },
  seconds: 60,
  runs: 3,
  async run({ input: { mediaId }, ...library }) {
    const next = await sweep(library, mediaId)
    return next === undefined ? undefined : { inSeconds: Math.ceil((next - library.clock.now()) / 1000) }
  },
})
