import { changeConsumer } from '../../shared/events/consumer.ts'
import { companyGroup } from '../../shared/vocabulary/messages.ts'

/** One function for all jobs, because every consumer reads the whole stream and DynamoDB advises at most two of them. */
export const startJobs = changeConsumer({
  summary: 'Queues imports, and wakes jobs',
  trigger: { events: ['media.uploaded', 'job.waits'] },
  uses: { imports: 'send', waker: 'wake' },
  timeoutSeconds: 30,
  async handle({ event, imports, waker }) {
    const { companyId } = event
    const options = { group: companyGroup(companyId) }
    switch (event.name) {
      case 'media.uploaded':
        return imports.send({ mediaId: event.mediaId }, options)
      case 'job.waits':
        return waker.wake(event.kind)
    }
  },
})
