import { job } from '../../shared/events/consumer.ts'
import { outOfTimeAfter } from '../../shared/events/run-time.ts'
import { endUploadsJob } from '../../shared/library/shares/end-uploads.ts'
import { endSharedUploads as end } from '../../shared/library/uploads/ending.ts'

/** Milliseconds of one run: other links have their turn then. */
const RUN_MS = 30_000

export const endSharedUploads = job({
  kind: endUploadsJob,
  group: 'long-jobs',
  summary: 'Ends what is being sent by a share link that was removed or closed, or has another address or end',
  uses: { table: 'write', partUploads: 'sweep' },
  seconds: 60,
  async run({ input, ...library }) {
    return (await end(library, input.shareId, outOfTimeAfter(RUN_MS))) ? {} : undefined
  },
})
