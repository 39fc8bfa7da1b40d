import type { DomainEvent } from '../../shared/library/events/domain-events.ts'
import { searchChanges } from '../../shared/library/media/search-feed.ts'
import { type FileRemoval, removeStoredFile } from '../../shared/library/removals/file.ts'
import type { Log } from '../../shared/log/log.ts'
import { batchConsumer } from '../../shared/runtime/consumer.ts'

type MediaEvent = DomainEvent<'media.revised' | 'media.removed'>

/** Does the work of remove-media-objects, too: a stream has room for two readers, of which start-jobs is the other one. */
export const indexMedia = batchConsumer({
  summary: 'Tells the search engine of files that were imported, changed or removed, and removes what is stored of removed ones',
  trigger: { batchesOf: ['media.revised', 'media.removed'], parallelism: 10 },
  uses: { table: 'write', media: 'write', uploads: 'remove', searchIndexer: 'write' },
  timeoutSeconds: 300,
  async handle({ events, searchIndexer, ...library }) {
    // Before the index, so that a search engine that is away keeps no objects.
    const unremoved = await removeFiles(library, events)
    const ids = events.map(({ mediaId }) => mediaId)
    const refused = await searchIndexer.index(await searchChanges(library, ids))
    for (const { companyId, change, reason } of refused)
      library.log.error('the search engine refuses a file', { companyId, mediaId: change.mediaId, reason })
    const unindexed = new Set(refused.map(({ change }) => change.mediaId))
    return events.filter((event) => unremoved.has(event) || unindexed.has(event.mediaId))
  },
})

/** @returns events whose files could not be removed */
async function removeFiles({ log, ...library }: FileRemoval & { log: Log }, events: readonly MediaEvent[]): Promise<Set<MediaEvent>> {
  const failed = new Set<MediaEvent>()
  for (const event of events) {
    if (event.name !== 'media.removed') continue
    try {
      await removeStoredFile(library, event)
    } catch (error) {
      log.error('a removed file could not be cleared away', { mediaId: event.mediaId, error })
      failed.add(event)
    }
  }
  return failed
}
