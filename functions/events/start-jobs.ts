import { changeConsumer } from '../../shared/events/consumer.ts'
import { companyGroup } from '../../shared/vocabulary/messages.ts'

/** One function for all jobs, because every consumer reads the whole stream and DynamoDB advises at most two of them. */
export const startJobs = changeConsumer({
  summary:
    'Queues the jobs that committed changes ask for: imports, removal of what deleted folders and cliques held, publication of links, encoding of videos',
  trigger: {
    events: [
      'media.uploaded',
      'media.imported',
      'folder.deleted',
      'contents.deleted',
      'clique.deleted',
      'link.changed',
      'media.removed',
      'video.requested',
      'job.waits',
    ],
  },
  uses: {
    imports: 'send',
    removals: 'send',
    links: 'send',
    encodings: 'send',
    waker: 'wake',
  },
  timeoutSeconds: 30,
  async handle({ event, imports, removals, links, encodings, waker }) {
    const { companyId } = event
    const options = { group: companyGroup(companyId) }
    switch (event.name) {
      case 'media.uploaded':
        return imports.send({ mediaId: event.mediaId }, options)
      case 'media.imported':
        return links.sendMany(
          event.links.map((link) => ({ companyId, ...link })),
          options,
        )
      case 'folder.deleted':
      case 'contents.deleted':
        return removals.send({ companyId, folderId: event.folderId }, options)
      case 'clique.deleted':
        return removals.send({ companyId, cliqueId: event.cliqueId }, options)
      case 'link.changed':
        return links.send({ companyId, linkId: event.linkId, alias: event.alias }, options)
      case 'media.removed':
        return event.kind === 'video' ? encodings.send({ companyId, mediaId: event.mediaId }, options) : undefined
      case 'video.requested':
        return encodings.send({ companyId, mediaId: event.mediaId }, options)
      case 'job.waits':
        return waker.wake(event.kind)
    }
  },
})
