import { expireShare as expire, shareExpiryJob } from '../../shared/library/shares/removal.ts'
import { job } from '../../shared/runtime/consumer.ts'

export const expireShare = job({
  kind: shareExpiryJob,
  group: 'short-jobs',
  summary: 'Removes a share link 30 days after its end',
  uses: { table: 'write' },
  seconds: 60,
  run: ({ input: { shareId }, ...library }) => expire(library, shareId),
})
