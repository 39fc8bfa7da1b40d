import { changeConsumer } from '../../shared/events/consumer.ts'
import { companyGroup } from '../../shared/vocabulary/messages.ts'

/** One function for all jobs, because every consumer reads the whole stream and DynamoDB advises at most two of them. */
export const startJobs = changeConsumer({
  summary: 'Queues the jobs that committed changes ask for: imports, encoding of videos',
  trigger: {
    events: ['media.uploaded', 'media.removed', 'video.requested', 'job.waits'],
  },
  uses: {
    imports: 'send',
    encodings: 'send',
    waker: 'wake',
  },
  timeoutSeconds: 30,
  async handle({ event, imports, encodings, waker }) {
    const { companyId } = event
    const options = { group: companyGroup(companyId) }
    switch (event.name) {
      case 'media.uploaded':
        return imports.send({ mediaId: event.mediaId }, options)
      case 'media.removed':
        return event.kind === 'video' ? encodings.send({ companyId, mediaId: event.mediaId }, options) : undefined
      case 'video.requested':
        return encodings.send({ companyId, mediaId: event.mediaId }, options)
      case 'job.waits':
        return waker.wake(event.kind)
    }
  },
})
