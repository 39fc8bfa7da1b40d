import { indexedEventNames, indexFiles, indexJob } from '../../shared/library/events/index-files.ts'
import { batchConsumer } from '../../shared/runtime/consumer.ts'

export const indexMedia = batchConsumer({
  summary: 'Tells the search engine of files that were imported, changed or removed',
  trigger: { batchesOf: indexedEventNames, parallelism: 10 },
  repeatedBy: indexJob,
  uses: { table: 'write', searchIndexer: 'write' },
  timeoutSeconds: 300,
  async handle({ events, ...library }) {
    const refused = await indexFiles(library, events)
    return events.filter(({ mediaId }) => refused.has(mediaId))
  },
})
