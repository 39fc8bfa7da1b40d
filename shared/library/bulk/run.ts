import type { ConditionFailed, Operation, Operations, WriteConflict } from '../../backends/table/port.ts'
import { ConditionFailed as ConditionOf } from '../../backends/table/port.ts'
import type { MediaId } from '../../vocabulary/ids.ts'
import { Access, type AuthorizedWriting } from '../access/access.ts'
import { findUser } from '../accounts/users.ts'
import { retryOnConflict } from '../concurrency/retry.ts'
import type { Writing } from '../library.ts'
import { askedByEdits, type EditOf } from '../media/after-edit.ts'
import { getMany } from '../media/find.ts'
import { commitSteps } from '../media/states.ts'
import {
  type BulkRecord,
  bulkKey,
  type ChangedRecord,
  changedKey,
  FILES_IN_ITEM,
  type FilesRecord,
  filesKey,
  findBulk,
  MAX_LISTED_REFUSALS,
  type Refusal,
  type RefusalsRecord,
  refusalsKey,
} from './bulk.ts'
import { changeFile } from './change-file.ts'
import { type Outcome, refusalOf } from './outcome.ts'
import { foldersOf } from './placed.ts'
import { undoFile } from './undo-file.ts'

/** Files per transaction. Few, because on one machine other requests wait for it. */
const FILES_AT_ONCE = 8
/** One transaction holds 100 operations and 4 MB. Three operations are the job's own, and two ask for what edits change of pictures. */
const [MOST_OPERATIONS, MOST_BYTES] = [95, 3 * 1024 * 1024]

/** What the job runtime provides: the position, and the operation that records progress, which fails when another run has the lease. */
export interface BulkJob {
  cursor: unknown
  noting(progress: { cursor: number; done: number; total: number }): Operation
}

/**
 * Continues a bulk change until it is done or time is up. Each transaction changes some files and records the progress, so each file
 * changes once even after a crash.
 * @returns whether it is done
 */
export async function runBulk(library: Writing, bulkId: string, job: BulkJob, outOfTime: () => boolean): Promise<boolean> {
  let at = typeof job.cursor === 'number' ? job.cursor : 0
  let list: { n: number; mediaIds: MediaId[] } | undefined
  for (;;) {
    const bulk = await findBulk(library, bulkId)
    if (bulk?.state !== 'PENDING') return true
    const n = Math.floor(at / FILES_IN_ITEM)
    list = list?.n === n ? list : { n, mediaIds: await filesOf(library, bulk, n) }
    const mediaIds = list.mediaIds.slice(at % FILES_IN_ITEM, (at % FILES_IN_ITEM) + FILES_AT_ONCE)
    // A concurrent change of a file is retried; a lost lease is not.
    const isRace = (error: ConditionFailed | WriteConflict) =>
      !(error instanceof ConditionOf && (error.failed('job') || error.failed('bulk')))
    const from = at
    at += await retryOnConflict(() => changeSome(library, bulk, mediaIds, { job, from }), isRace)
    if (at >= bulk.listed) return true
    if (outOfTime()) return false
  }
}

async function filesOf({ table }: Writing, { bulkId, undoes }: BulkRecord, n: number): Promise<MediaId[]> {
  return (await table.get<FilesRecord>(filesKey(undoes ?? bulkId, n)))?.mediaIds ?? []
}

/** @returns the number of files done */
async function changeSome(
  library: Writing,
  bulk: BulkRecord,
  mediaIds: readonly MediaId[],
  { job, from }: { job: BulkJob; from: number },
): Promise<number> {
  const user = await findUser(library, bulk.userId)
  const requester = user && !user.disabled ? user : undefined
  const changing = requester && { ...library, by: bulk.by, access: new Access(library.table, { kind: 'user' as const, user: requester }) }
  const outcomes = changing ? await outcomesOf(changing, bulk, mediaIds) : []
  const { done, operations, edits, changed, unchanged, refused } = await merged(library, bulk, mediaIds, outcomes)
  const isDone = from + done >= bulk.listed
  const ended = !requester ? { state: 'FAILED' } : isDone ? { state: 'DONE' } : undefined
  const doneBefore = bulk.changed + bulk.unchanged + bulk.refused
  const all = {
    ...operations,
    ...askedByEdits({ ...library, by: bulk.by }, edits),
    job: job.noting({ cursor: from + done, done: doneBefore + changed + unchanged + refused, total: bulk.total }),
    bulk: {
      update: bulkKey(bulk.bulkId),
      changes: { set: { ...(ended && { ...ended, ended: library.clock.now() }), by: bulk.by }, add: { changed, unchanged, refused } },
      if: { state: { equals: 'PENDING' } },
    },
  }
  const files = edits.map(({ before }) => before)
  await commitSteps(library, files, () => library.table.transact(all))
  return requester ? done : bulk.listed
}

async function outcomesOf(library: AuthorizedWriting, bulk: BulkRecord, mediaIds: readonly MediaId[]): Promise<Outcome[]> {
  const files = new Map((await getMany(library, mediaIds)).map((media) => [media.mediaId, media]))
  const outcomes: Outcome[] = []
  if (bulk.undoes !== undefined) {
    const { undoes } = bulk
    const keys = mediaIds.map((mediaId) => changedKey(undoes, mediaId))
    const records = new Map((await library.table.getMany<ChangedRecord>(keys)).map((record) => [record.sk, record]))
    for (const [n, mediaId] of mediaIds.entries()) outcomes.push(await undoFile(library, files.get(mediaId), records.get(keys[n]!.sk)))
    return outcomes
  }
  const change = bulk.change ?? {}
  const folders = change.folders && (await foldersOf(library, change.folders).catch(refusalOf))
  for (const mediaId of mediaIds) outcomes.push(await changeFile(library, bulk, change, files.get(mediaId), folders))
  return outcomes
}

/** Merges as many outcomes as fit into one transaction; at least one. */
async function merged({ table }: Writing, bulk: BulkRecord, mediaIds: readonly MediaId[], outcomes: readonly Outcome[]) {
  const operations: Record<string, Operation> = {}
  const counts = { changed: 0, unchanged: 0, refused: 0, skipped: 0 }
  const refusals: Refusal[] = []
  const edits: EditOf[] = []
  let [done, bytes] = [0, 0]
  for (const [n, outcome] of outcomes.entries()) {
    if (outcome.kind === 'changed') {
      bytes += Buffer.byteLength(JSON.stringify(outcome.operations))
      const isFull = Object.keys(operations).length + Object.keys(outcome.operations).length > MOST_OPERATIONS || bytes > MOST_BYTES
      if (isFull && done > 0) break
      Object.assign(operations, outcome.operations)
      if (outcome.edit) edits.push(outcome.edit)
    }
    if (outcome.kind === 'refused') refusals.push({ mediaId: mediaIds[n]!, code: outcome.code })
    counts[outcome.kind] += 1
    done += 1
  }
  const { skipped: _, ...counted } = counts
  return { done, edits, operations: { ...operations, ...(await refusalsUpdate({ table }, bulk, refusals)) }, ...counted }
}

async function refusalsUpdate({ table }: Pick<Writing, 'table'>, bulk: BulkRecord, added: readonly Refusal[]): Promise<Operations> {
  if (added.length === 0 || bulk.refused >= MAX_LISTED_REFUSALS) return {}
  const known = (await table.get<RefusalsRecord>(refusalsKey(bulk.bulkId)))?.refusals ?? []
  const refusals = [...known, ...added].slice(0, MAX_LISTED_REFUSALS)
  return { refusals: { put: { ...refusalsKey(bulk.bulkId), refusals, ttl: bulk.ttl } satisfies RefusalsRecord } }
}
