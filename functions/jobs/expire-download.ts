import { expireCopy, expiryJob } from '../../shared/library/downloads/expiry.ts'
import { job } from '../../shared/runtime/consumer.ts'

export const expireDownload = job({
  kind: expiryJob,
  group: 'long-jobs',
  summary: 'Removes a prepared download that nobody has fetched for a week, or one of an older version',
  uses: { table: 'write', media: 'write' },
  seconds: 60,
  async run({ input, ...library }) {
    return expireCopy(library, input)
  },
})
