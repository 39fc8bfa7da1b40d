import type { EdgeCache } from '../../backends/edge-cache/port.ts'
import type { Objects, PartUploads, SweptObjects } from '../../backends/objects/port.ts'
import type { SearchIndexer } from '../../backends/search/port.ts'
import type { TableScanner } from '../../backends/table/port.ts'
import type { Transcoder } from '../../backends/transcoder/port.ts'
import type { Log } from '../../log/log.ts'
import type { CompanyId, UserId } from '../../vocabulary/ids.ts'
import type { Writing } from '../library.ts'

/** What the removal of a company takes. */
export interface CompanyRemoval extends Writing {
  scanner: TableScanner
  uploads: SweptObjects & Pick<PartUploads, 'abortParts'>
  media: Objects
  publicFiles: Objects
  /** Encodings that run are cancelled; where it can't be reached, by the jobs of the deployment. */
  transcoder: Transcoder
  /** Absent where jobs of the deployment tell the edges. */
  edgeCache?: EdgeCache
  /** Absent where the search engine reads the table itself. */
  searchIndexer?: SearchIndexer
  /** Removes what a machine keeps of it beside table and objects. Idempotent. */
  removeRemains?(removed: Removed): Promise<void>
  log: Log
}

/** Of a company that is being removed, what its items are told by that don't name it. */
export interface Removed {
  companyId: CompanyId
  /** Its users who belong to no other company. */
  users: ReadonlySet<UserId>
  /** Their e-mail addresses. */
  addresses: ReadonlySet<string>
}
