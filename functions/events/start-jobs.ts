import { feedEventNames } from '../../shared/library/feed/feed-events.ts'
import { tellCompanies, tellJob } from '../../shared/library/webhooks/announce.ts'
import { batchConsumer } from '../../shared/runtime/consumer.ts'

/** One function for all jobs and the feed, because every consumer reads the whole stream and DynamoDB advises at most two of them. */
export const startJobs = batchConsumer({
  summary: 'Wakes jobs, gives events their place in the feeds of companies, and tells webhooks of them',
  trigger: { batchesOf: ['job.waits', ...feedEventNames] },
  repeatedBy: tellJob,
  uses: { table: 'write', waker: 'wake' },
  timeoutSeconds: 60,
  async handle({ events, waker, ...library }) {
    const waiting = events.filter((event) => event.name === 'job.waits')
    // One wake-up for all that wait: a run takes whatever there is, and wakes the next one.
    const groups = new Set(waiting.map(({ kind }) => waker.groupOf(kind)))
    // A lost wake-up is nothing to repeat: wake-jobs finds the jobs.
    const waking = [...groups].map((group) =>
      waker.wake(group).catch((error: unknown) => library.log.error('jobs were not woken', { group, error })),
    )
    const untold = await tellCompanies(library, events)
    // A wake-up may wait for a second.
    await Promise.all(waking)
    return untold
  },
})
