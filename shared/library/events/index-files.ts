import type { SearchIndexer } from '../../backends/search/port.ts'
import type { Log } from '../../log/log.ts'
import { type MediaId, toMediaId } from '../../vocabulary/ids.ts'
import { JobKind } from '../jobs/job.ts'
import type { Reading } from '../library.ts'
import { searchChanges } from '../media/search-feed.ts'
import type { EventName } from './domain-events.ts'
import type { Failed } from './failed-event.ts'

/** The events of which search engines are told that don't read the table. */
export const indexedEventNames = ['media.revised', 'media.removed'] as const satisfies EventName[]

/** Tells the search engine of a file, where that failed before. */
export const indexJob = new JobKind<Failed>('index-change')

interface Indexing extends Reading {
  searchIndexer: SearchIndexer
  log: Log
}

/** Tells the search engine how files are now. Idempotent. @returns the files that it refuses */
export async function indexFiles(
  { searchIndexer, log, ...library }: Indexing,
  files: readonly { mediaId: MediaId }[],
): Promise<ReadonlySet<MediaId>> {
  const changes = await searchChanges(
    library,
    files.map(({ mediaId }) => mediaId),
  )
  const refused = await searchIndexer.index(changes)
  for (const { companyId, change, reason } of refused)
    log.error('the search engine refuses a file', { companyId, mediaId: change.mediaId, reason })
  return new Set(refused.map(({ change }) => toMediaId(change.mediaId)))
}
