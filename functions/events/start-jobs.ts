import { batchConsumer } from '../../shared/events/consumer.ts'
import { tell } from '../../shared/library/feed/tell.ts'
import { toldNames } from '../../shared/library/feed/told-names.ts'
import { companyGroup } from '../../shared/vocabulary/messages.ts'

/** One function for all jobs and the feed, because every consumer reads the whole stream and DynamoDB advises at most two of them. */
export const startJobs = batchConsumer({
  summary: 'Queues imports, wakes jobs, and gives events their place in the feeds of companies',
  trigger: { batchesOf: ['media.uploaded', 'job.waits', ...toldNames] },
  uses: { table: 'write', imports: 'send', waker: 'wake' },
  timeoutSeconds: 60,
  async handle({ events, imports, waker, ...library }) {
    const woken = new Set<string>()
    const failed = new Set<(typeof events)[number]>()
    for (const event of events) {
      try {
        if (event.name === 'media.uploaded') await imports.send({ mediaId: event.mediaId }, { group: companyGroup(event.companyId) })
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
