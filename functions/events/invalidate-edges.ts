import { queueConsumer } from '../../shared/events/consumer.ts'
import { outOfTimeAfter } from '../../shared/events/run-time.ts'
import { tellEdges } from '../../shared/library/publishing/invalidations.ts'

/** Milliseconds after which a run leaves the remaining work to another message. */
const LONGEST_RUN = 20_000

export const invalidateEdges = queueConsumer({
  summary: 'Makes edges forget what links no longer show, and streams that were removed, and says so when they have',
  // One run works, however many messages there are. A second one is the least that SQS allows.
  trigger: { queue: 'invalidations', concurrency: 2 },
  uses: { table: 'write', publicFiles: 'sweep', edgeCache: 'invalidate', invalidations: 'send' },
  timeoutSeconds: 60,
  async handle({ message, ...library }) {
    await tellEdges(library, message, outOfTimeAfter(LONGEST_RUN))
  },
})
