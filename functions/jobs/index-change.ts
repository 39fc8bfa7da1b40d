import { eventsToRepeat } from '../../shared/library/events/failed-event.ts'
import { indexedEventNames, indexFiles, indexJob } from '../../shared/library/events/index-files.ts'
import { job } from '../../shared/runtime/consumer.ts'

export const indexChange = job({
  kind: indexJob,
  summary: 'Tells the search engine of a file on which index-media failed',
  uses: { table: 'read', searchIndexer: 'write' },
  seconds: 60,
  async run({ input, ...library }) {
    const refused = await indexFiles(library, eventsToRepeat(input, indexedEventNames))
    if (refused.size > 0) throw new Error('the search engine refuses the file')
    return undefined
  },
})
