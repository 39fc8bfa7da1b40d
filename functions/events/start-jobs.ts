import { batchConsumer } from '../../shared/events/consumer.ts'
import { appendEvents } from '../../shared/library/feed/append.ts'
import { feedEventNames } from '../../shared/library/feed/feed-events.ts'
import { announce } from '../../shared/library/webhooks/announce.ts'

/** One function for all jobs and the feed, because every consumer reads the whole stream and DynamoDB advises at most two of them. */
export const startJobs = batchConsumer({
  summary: 'Wakes jobs, gives events their place in the feeds of companies, and tells webhooks of them',
  trigger: { batchesOf: ['job.waits', ...feedEventNames] },
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
    for (const event of await appendEvents(library, events)) failed.add(event)
    for (const event of await announce(library, events)) failed.add(event)
    return [...failed]
  },
})
