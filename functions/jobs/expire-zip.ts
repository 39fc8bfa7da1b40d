import { zipExpiryJob } from '../../shared/library/zips/job.ts'
import { expireZip as expire } from '../../shared/library/zips/removal.ts'
import { job } from '../../shared/runtime/consumer.ts'

export const expireZip = job({
  kind: zipExpiryJob,
  group: 'long-jobs',
  summary: 'Removes a zip that can be downloaded no more, and what is left of one that failed',
  uses: { table: 'write', media: 'write' },
  seconds: 900,
  run: ({ input: { zip, from }, ...library }) => expire(library, zip, from),
})
