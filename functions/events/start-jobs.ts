import { batchConsumer } from '../../shared/events/consumer.ts'
import { tell } from '../../shared/library/feed/tell.ts'
import { toldNames } from '../../shared/library/feed/told-names.ts'

/** One function for all jobs and the feed, because every consumer reads the whole stream and DynamoDB advises at most two of them. */
export const startJobs = batchConsumer({
  summary: 'Wakes jobs, and gives events their place in the feeds of companies',
  trigger: { batchesOf: ['job.waits', ...toldNames] },
  uses: { table: 'write', waker: 'wake' },
  timeoutSeconds: 60,
  async handle({ events, waker, ...library }) {
    const woken = new Set<string>()
    const failed = new Set<(typeof events)[number]>()
    for (const event of events) {
      try {
        // One wake-up for all that wait: a run takes whatever there is.
        if (event.name !== 'job.waits' || woken.has(event.kind)) continue
        await waker.wake(event.kind)
        woken.add(event.kind)
      } catch (error) {
        library.log.error('an event failed', { event: event.id, name: event.name, error })
        failed.add(event)
      }
    }
    for (const event of await tell(library, events)) failed.add(event)
    return [...failed]
  },
})
