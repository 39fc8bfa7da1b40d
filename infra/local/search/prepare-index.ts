import { IndexBehind, type SearchQuery } from '../../../shared/backends/search/port.ts'
import { snapshotJob } from '../../../shared/library/index-snapshots/job.ts'
import { job } from '../../../shared/runtime/consumer.ts'

const nothing: SearchQuery = { terms: [], scope: { except: [] }, order: 'created', direction: 'asc', limit: 0, offset: 0 }

/**
 * What one machine does instead of storing a snapshot: nobody else has its index. A search brings it up to date, so that it is built while files
 * arrive, before anybody looks for them.
 */
export const prepareIndex = job({
  kind: snapshotJob,
  summary: "Brings a company's search index up to date while many files are imported",
  uses: { search: 'read' },
  seconds: 60,
  async run({ companyId, search }) {
    try {
      await search.search(companyId, nothing)
    } catch (error) {
      if (!(error instanceof IndexBehind)) throw error
      return { inSeconds: error.retryAfter }
    }
    return undefined
  },
})
