import { appendEvents } from '../../shared/library/feed/append.ts'
import { feedEventNames } from '../../shared/library/feed/feed-events.ts'
import { announce } from '../../shared/library/webhooks/announce.ts'
import { batchConsumer } from '../../shared/runtime/consumer.ts'

/** One function for all jobs and the feed, because every consumer reads the whole stream and DynamoDB advises at most two of them. */
export const startJobs = batchConsumer({
  summary: 'Wakes jobs, gives events their place in the feeds of companies, and tells webhooks of them',
  trigger: { batchesOf: ['job.waits', ...feedEventNames] },
  uses: { table: 'write', waker: 'wake' },
  timeoutSeconds: 60,
  async handle({ events, waker, ...library }) {
    const failed = new Set<(typeof events)[number]>()
    const waiting = events.filter((event) => event.name === 'job.waits')
    // One wake-up for all that wait: a run takes whatever there is, and wakes the next one.
    const waking = [...Map.groupBy(waiting, ({ kind }) => waker.groupOf(kind))].map(async ([group, those]) => {
      try {
        await waker.wake(group)
      } catch (error) {
        library.log.error('jobs were not woken', { group, error })
        for (const event of those) failed.add(event)
      }
    })
    for (const event of await appendEvents(library, events)) failed.add(event)
    for (const event of await announce(library, events)) failed.add(event)
    // A wake-up may wait for a second.
    await Promise.all(waking)
    return [...failed]
  },
})
