import { batchConsumer } from '../../shared/events/consumer.ts'
import { searchChanges } from '../../shared/library/media/search-document.ts'

export const indexMedia = batchConsumer({
  summary: 'Tells the search engine of files that were imported, changed or removed',
  trigger: { batchesOf: ['media.revised', 'media.removed'], parallelism: 10 },
  uses: { table: 'read', searchIndexer: 'write' },
  timeoutSeconds: 120,
  async handle({ events, searchIndexer, log, ...library }) {
    const refused = await searchIndexer.index(
      await searchChanges(
        library,
        events.map(({ mediaId }) => mediaId),
      ),
    )
    for (const { companyId, change, reason } of refused)
      log.error('the search engine refuses a file', { companyId, mediaId: change.mediaId, reason })
    const ids = new Set(refused.map(({ change }) => change.mediaId))
    return events.filter(({ mediaId }) => ids.has(mediaId))
  },
})
