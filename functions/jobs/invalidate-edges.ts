import { invalidateEdges as invalidate } from '../../shared/library/links/invalidate-edges.ts'
import { invalidationJob } from '../../shared/library/links/invalidation.ts'
import { job } from '../../shared/runtime/consumer.ts'
import { outOfTimeAfter } from '../../shared/runtime/run-time.ts'

/** Milliseconds after which a run leaves the rest to the next one. Most requests to edges are done within 25 s. */
const RUN_MS = 35_000

export const invalidateEdges = job({
  kind: invalidationJob,
  group: 'short-jobs',
  summary: 'Makes edges forget what links no longer show, and streams that were removed, and says so when they have',
  uses: { table: 'write', publicFiles: 'sweep', edgeCache: 'invalidate' },
  seconds: 60,
  runs: 1,
  async run(library) {
    return invalidate(library, outOfTimeAfter(RUN_MS))
  },
})
