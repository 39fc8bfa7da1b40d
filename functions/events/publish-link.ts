import { queueConsumer } from '../../shared/events/consumer.ts'
import { publishLink as publish } from '../../shared/library/publishing/publish-link.ts'
import { companyGroup } from '../../shared/vocabulary/messages.ts'

export const publishLink = queueConsumer({
  summary: 'Brings the public bucket to what a link says: copies the file that it shows, or removes what it showed',
  trigger: { queue: 'links', concurrency: 10 },
  uses: { table: 'write', media: 'read', publicFiles: 'write', links: 'send', invalidations: 'send' },
  // Storage copies the largest files itself, in parts, within seconds.
  timeoutSeconds: 60,
  async handle({ message, links, ...library }) {
    const delaySeconds = await publish(library, message)
    if (delaySeconds !== undefined) await links.send(message, { delaySeconds, group: companyGroup(message.companyId) })
  },
})
