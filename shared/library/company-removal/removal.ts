import type { EdgeCache } from '../../backends/edge-cache/port.ts'
import type { Objects, PartUploads, SweptObjects } from '../../backends/objects/port.ts'
import type { SearchIndexer } from '../../backends/search/port.ts'
import type { TableScanner } from '../../backends/table/port.ts'
import type { Transcoder } from '../../backends/transcoder/port.ts'
import type { Log } from '../../log/log.ts'
import type { CompanyId, UserId } from '../../vocabulary/ids.ts'
import type { Writing } from '../library.ts'

/** Dependencies of the removal of a company. */
export interface CompanyRemoval extends Writing {
  scanner: TableScanner
  uploads: SweptObjects & Pick<PartUploads, 'abortParts'>
  media: Objects
  publicFiles: Objects
  /** Cancels running encodings. Where it can't be reached, the deployment's jobs do. */
  transcoder: Transcoder
  /** Absent where the deployment's jobs invalidate the edges. */
  edgeCache?: EdgeCache
  /** Absent where the search engine reads the table itself. */
  searchIndexer?: SearchIndexer
  /** Removes what one machine stores of the company outside the table and the buckets. Idempotent. */
  removeRemains?(removed: Removed): Promise<void>
  log: Log
}

/** A company that is being removed. Users and addresses identify the items that don't name the company. */
export interface Removed {
  companyId: CompanyId
  /** Its users who belong to no other company. */
  users: ReadonlySet<UserId>
  /** Their e-mail addresses. */
  addresses: ReadonlySet<string>
}
