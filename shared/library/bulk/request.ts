import { randomBytes } from 'node:crypto'
import type { Operations } from '../../backends/table/port.ts'
import type { CompanyId, MediaId } from '../../vocabulary/ids.ts'
import type { Access, AuthorizedReading, AuthorizedWriting } from '../access/access.ts'
import type { UserCaller } from '../access/caller.ts'
import type { UserActor } from '../actor.ts'
import { retryOnConflict } from '../concurrency/retry.ts'
import { Conflict, Invalid, NotFound } from '../errors.ts'
import type { Reading, Writing } from '../library.ts'
import { trashOwner } from '../tree/tree.ts'
import {
  type BulkChange,
  type BulkRecord,
  bulkKey,
  FILES_IN_ITEM,
  type FilesRecord,
  filesKey,
  findBulk,
  KEPT_SECONDS,
  type Refusal,
  type RefusalsRecord,
  refusalsKey,
  undoUntil,
} from './bulk.ts'
import { askForJob } from './job.ts'
import { foldersOf } from './placed.ts'

/** Dependencies of requests. Only users request bulk changes. */
export type Requesting = Writing & { access: Access<UserCaller>; by: UserActor }

/**
 * Requests a bulk change. A file that is listed twice is changed once.
 * @param mediaIds at most `MAX_BULK_FOUND`
 * @returns the change, whose job is asked for in the same transaction
 * @throws NotFound, Forbidden unless the caller may WRITE the change's folders, Invalid for trashing trashed files
 */
export async function requestBulk(library: Requesting, mediaIds: readonly MediaId[], change: BulkChange): Promise<BulkRecord> {
  if (change.folders) await checkFolders(library, change)
  const listed = [...new Set(mediaIds)]
  const bulk = newBulk(library, { change, listed: listed.length, total: listed.length })
  const lists: Operations = Object.fromEntries(
    Array.from({ length: Math.ceil(listed.length / FILES_IN_ITEM) }, (_, n) => {
      const some = listed.slice(n * FILES_IN_ITEM, (n + 1) * FILES_IN_ITEM)
      return [`files ${n}`, { put: { ...filesKey(bulk.bulkId, n), mediaIds: some, ttl: bulk.ttl } satisfies FilesRecord }]
    }),
  )
  await library.table.transact({ bulk: { put: bulk }, ...lists, ...(bulk.state === 'PENDING' && { job: askForJob(library, bulk) }) })
  return bulk
}

/**
 * Requests the undo of a bulk change. Later changes of others stay.
 * @throws NotFound, Conflict `already_undone`, `bulk_pending`, `undo_expired`, `not_undoable`
 */
export function requestUndo(library: Requesting, bulkId: string): Promise<BulkRecord> {
  // After a conflict the next attempt finds the concurrent undo.
  return retryOnConflict(() => attemptUndo(library, bulkId))
}

async function attemptUndo(library: Requesting, bulkId: string): Promise<BulkRecord> {
  const undone = await visibleBulk(library, bulkId)
  if (undone.undoes !== undefined) throw new Conflict('An undo cannot be undone.', 'not_undoable')
  const already = () => new Conflict('This was undone already.', 'already_undone')
  if (undone.undoneBy !== undefined) throw already()
  const until = undoUntil(undone)
  if (until === undefined) throw new Conflict('The change is still being made.', 'bulk_pending', 5)
  if (until <= library.clock.now()) throw new Conflict('This can be undone no more: it was made more than a day ago.', 'undo_expired')
  const undo = newBulk(library, { undoes: bulkId, listed: undone.listed, total: undone.changed })
  await library.table.transact({
    bulk: { put: undo },
    undone: {
      update: bulkKey(bulkId),
      changes: { set: { undoneBy: undo.bulkId } },
      if: { undoneBy: { exists: false }, state: { not: 'PENDING' } },
    },
    ...(undo.state === 'PENDING' && { job: askForJob(library, undo) }),
  })
  return undo
}

/** A bulk change of the caller, or of a member of a company that the caller administers, with its first refusals. @throws NotFound */
export async function getBulk(library: AuthorizedReading, bulkId: string): Promise<{ bulk: BulkRecord; refusals: Refusal[] }> {
  const bulk = await visibleBulk(library, bulkId)
  const record = bulk.refused > 0 ? await library.table.get<RefusalsRecord>(refusalsKey(bulkId)) : undefined
  return { bulk, refusals: record?.refusals ?? [] }
}

/** Longer than any id of a job, in characters. */
const MAX_ID_LENGTH = 100

async function visibleBulk({ table, access }: Reading & { access: Access }, bulkId: string): Promise<BulkRecord> {
  const bulk = bulkId.length > MAX_ID_LENGTH ? undefined : await findBulk({ table }, bulkId)
  const isOwn = bulk !== undefined && access.caller.kind === 'user' && access.caller.user.userId === bulk.userId
  if (!bulk || !(isOwn || access.isAdmin(bulk.companyId))) throw new NotFound('bulk change')
  return bulk
}

async function checkFolders(library: AuthorizedWriting, { folders }: BulkChange): Promise<void> {
  if (folders?.kind === 'move' && folders.from === folders.to) {
    throw new Invalid({ path: 'change.folders.move', message: 'must name two folders' })
  }
  const { source } = await foldersOf(library, folders!)
  if (folders?.kind !== 'trash' || !source) return
  const chains = await library.access.chains(source.companyId, { folderIds: [source.folderId] })
  if (trashOwner(chains, source) !== undefined) {
    throw new Invalid({
      path: 'change.folders.trash.from',
      message: 'lies in a trashcan: files are removed from there for good, one by one',
    })
  }
}

function newBulk(
  { access, clock, by }: Requesting,
  given: Pick<BulkRecord, 'listed' | 'total'> & Partial<Pick<BulkRecord, 'change' | 'undoes'>>,
): BulkRecord {
  const bulkId = randomBytes(16).toString('base64url')
  const { userId, companies } = access.caller.user
  const asked = clock.now()
  return {
    ...{ ...bulkKey(bulkId), bulkId, companyId: companies[0]?.companyId ?? (0 as CompanyId), userId, ...given },
    ...{ changed: 0, unchanged: 0, refused: 0, asked, by, ttl: Math.floor(asked / 1000) + KEPT_SECONDS },
    ...(given.total > 0 ? { state: 'PENDING' } : { state: 'DONE', ended: asked }),
  }
}
