import type * as z from 'zod'
import type { Clock } from '../../shared/backends/clock/port.ts'
import { endpoint, LARGE_BODY_BYTES } from '../../shared/http/declaration/endpoint.ts'
import type { AuthorizedReading } from '../../shared/library/access/access.ts'
import { MAX_BULK_FOUND } from '../../shared/library/bulk/bulk.ts'
import { requestBulk } from '../../shared/library/bulk/request.ts'
import { Conflict, Invalid } from '../../shared/library/errors.ts'
import { foundIds } from '../../shared/library/search/found-ids.ts'
import type { Granted } from '../../shared/resources.ts'
import type { MediaId } from '../../shared/vocabulary/ids.ts'
import { parseQuery } from '../../shared/vocabulary/parse-query.ts'
import { criteriaOf, isSearch } from '../search/criteria.ts'
import { checkTogether, type SearchQuery } from '../search/search-query.ts'
import { BulkInput, BulkJob, changeOf } from './schema.ts'

export const changeMediaInBulk = endpoint({
  route: 'POST /media/bulk',
  summary: 'Change many files: metadata, keywords, folders',
  description:
    'Starts a job that changes each file as its own endpoints would, with the rights that the caller has then: files without them are refused, and ' +
    'the rest goes on. `select` names up to 10,000 ids, or a search with the number of hits that the caller expects (`expect`): 409 with the code ' +
    '`selection_changed` when it finds another number now, and 400 for more than 100,000. The version of a file rises by one where its metadata ' +
    'changes. Folders that are named need WRITE at once. Files in a trashcan are not trashed again.',
  access: 'user',
  uses: { table: 'write', search: 'read' },
  idempotent: true,
  body: BulkInput,
  maxBodyBytes: LARGE_BODY_BYTES,
  returns: BulkJob,
  refuses: ['forbidden', 'not found', 'conflict', 'not ready'],
  timeoutSeconds: 29,
  memoryMb: 1769,
  temporaryMb: 10_240,
  async handle({ body: { select, change }, ...library }) {
    const mediaIds = select.search ? await foundBy(library, select.search, select.expect!) : select.ids!
    const { bulkId } = await requestBulk(library, mediaIds, changeOf(change))
    return { job_id: bulkId }
  },
})

type Searching = AuthorizedReading & Granted<{ search: 'read' }> & { clock: Clock }

/** @throws Invalid, Conflict `selection_changed`, NotReady */
async function foundBy(library: Searching, query: z.output<typeof SearchQuery>, expected: number): Promise<MediaId[]> {
  const terms = parseQuery(query.q ?? '', query.query_type ?? 'default')
  checkTogether({ ...query, media_offset: 0 }, terms, 0)
  const { folder_ids: folderIds, recursive } = query
  const criteria = criteriaOf(query, terms, { limit: 0, now: library.clock.now() })
  const wanted = { terms, folderIds, recursive, criteria }
  const { total, mediaIds } =
    isSearch(query, terms) || folderIds ? await foundIds(library, wanted, MAX_BULK_FOUND) : { total: 0, mediaIds: [] }
  if (total !== expected) throw new Conflict(`The search finds ${total} files now, not ${expected}.`, 'selection_changed')
  if (total > MAX_BULK_FOUND) {
    throw new Invalid({ path: 'select.search', message: `must find at most ${MAX_BULK_FOUND} files` })
  }
  return mediaIds
}
