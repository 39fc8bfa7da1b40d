import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import type { Table } from '../../../shared/backends/table/port.ts'
import type { UserCaller } from '../../../shared/library/access/caller.ts'
import { type BulkChange, type BulkRecord, findBulk } from '../../../shared/library/bulk/bulk.ts'
import { bulkJob } from '../../../shared/library/bulk/job.ts'
import { getBulk, requestBulk, requestUndo } from '../../../shared/library/bulk/request.ts'
import { runBulk } from '../../../shared/library/bulk/run.ts'
import { createFolder } from '../../../shared/library/folders/folders.ts'
import { setGrants } from '../../../shared/library/folders/grants.ts'
import { claimNext } from '../../../shared/library/jobs/claim.ts'
import { jobIdOf, jobKey } from '../../../shared/library/jobs/job.ts'
import { listJobs } from '../../../shared/library/jobs/operator.ts'
import { performJob } from '../../../shared/library/jobs/perform.ts'
import { reviveJobs } from '../../../shared/library/jobs/revive.ts'
import { jobInHand } from '../../../shared/library/jobs/run.ts'
import { findMedia } from '../../../shared/library/media/find.ts'
import { labelsJob } from '../../../shared/library/media/label-job.ts'
import type { CompanyId, FolderId, MediaId } from '../../../shared/vocabulary/ids.ts'
import { toMediaId } from '../../../shared/vocabulary/ids.ts'
import { randomNumbers } from '../../support/damaged-file.ts'
import { Faults } from '../../support/faults.ts'
import { openTestCompany, openTestTable, requestOf } from '../../support/library.ts'
import { putMedia } from '../../support/media.ts'

const log = { info() {}, warn() {}, error() {}, with: () => log }

/** A company with folders that its admin made, and bulk changes in them. */
async function setUp() {
  const library = openTestTable()
  const { companyId, admin, user } = await openTestCompany(library)
  const folder = async (name: string) => (await createFolder(requestOf(library, admin), { name, parent: null, companyId })).folderId
  const put = (mediaId: number, folders: readonly FolderId[], more: Partial<Parameters<typeof putMedia>[1]> = {}) =>
    putMedia(library.table, { mediaId, companyId, folders: [...folders], ...more })
  const asking = (caller: UserCaller) => ({
    ...requestOf(library, caller),
    by: { kind: 'user', userId: caller.user.userId, requestId: 'request' } as const,
  })
  /** Lets jobs run until none waits. */
  const work = async (table: Table = library.table): Promise<void> => {
    const jobs = { ...library, table, log }
    for (;;) {
      const job = await claimNext(jobs, bulkJob.name, undefined, 60_000)
      if (!job) return
      const { bulkId } = job.input as { bulkId: string }
      await performJob(jobs, job, async () => ((await runBulk(jobs, bulkId, jobInHand(job), () => false)) ? undefined : {}))
    }
  }
  const change = async (ids: readonly number[], wanted: BulkChange, caller = admin) => {
    const { bulkId } = await requestBulk(asking(caller), ids.map(toMediaId), wanted)
    await work()
    return getBulk(requestOf(library, caller), bulkId)
  }
  const undo = async (bulkId: string, caller = admin) => {
    const undone = await requestUndo(asking(caller), bulkId)
    await work()
    return getBulk(requestOf(library, caller), undone.bulkId)
  }
  const media = (id: number) => findMedia(library, toMediaId(id))
  const grant = (id: FolderId, rights: Parameters<typeof setGrants>[3]) => setGrants(library, id, user.user.userId, rights)
  return { ...library, companyId, admin, user, folder, put, asking, work, change, undo, media, grant }
}

const countsOf = ({ state, total, changed, unchanged, refused }: BulkRecord) => ({ state, total, changed, unchanged, refused })

describe('a bulk change', () => {
  test('asks for rights file by file when it runs', async () => {
    const { folder, put, change, grant, user, asking, work, media, ...library } = await setUp()
    const writable = await folder('Writable')
    await grant(writable, () => ['READ', 'WRITE'])
    await put(1, [writable])
    await put(2, [writable], { state: 'importing' })
    assert.deepEqual((await change([1, 2], { editorial: true }, user)).refusals, [{ mediaId: 2, code: 'importing' }])
    const { bulkId } = await requestBulk(asking(user), [toMediaId(1)], { byline: 'x' })
    await grant(writable, () => [])
    await work()
    const late = await findBulk(library, bulkId)
    assert.deepEqual([late?.changed, late?.refused, (await media(1)).byline], [0, 1, null])
  })
})

describe('an undo', () => {
  test('comes once, within a day, and not of an undo', async () => {
    const { folder, put, change, undo, clock } = await setUp()
    const harbour = await folder('Harbour')
    await put(1, [harbour])
    const first = await change([1], { byline: 'a' })
    const undone = await undo(first.bulk.bulkId)
    await assert.rejects(undo(first.bulk.bulkId), { code: 'already_undone' })
    await assert.rejects(undo(undone.bulk.bulkId), { code: 'not_undoable' })
    const second = await change([1], { byline: 'b' })
    clock.advance(86_401)
    await assert.rejects(undo(second.bulk.bulkId), { code: 'undo_expired' })
  })
})

test('a bulk change of copyrights, and its undo, ask for the labels of each file, by a job for those of a transaction', async () => {
  const { folder, put, change, undo, companyId, admin, ...library } = await setUp()
  const harbour = await folder('Harbour')
  const ids = Array.from({ length: 20 }, (_, n) => n + 1)
  for (const id of ids) await put(id, [harbour], { copyright: id === 20 ? 'after' : 'before' })
  const asked = async () => {
    const jobs = await listJobs(library, [labelsJob.name], {})
    for (const { kind, subject } of jobs) await library.table.delete(jobKey(jobIdOf({ kind, subject })))
    const inputs = jobs.map(({ input }) => input as { companyId: CompanyId; mediaIds: MediaId[] })
    for (const input of inputs) assert.equal(input.companyId, companyId)
    return inputs.map(({ mediaIds }) => mediaIds).sort(([one = 0], [other = 0]) => one - other)
  }
  const { bulk } = await change(ids, { copyright: 'after' })
  const expected = [ids.slice(0, 8), ids.slice(8, 16), ids.slice(16, 19)]
  assert.deepEqual(await asked(), expected)
  await undo(bulk.bulkId)
  assert.deepEqual(await asked(), expected)
  await change(ids, { byline: 'Anna' })
  assert.deepEqual(await asked(), [])
})

test('a bulk change and its undo that are killed ten times at random change each file once', async () => {
  const FILES = 400
  const { folder, put, asking, work, undo: _, media, admin, ...library } = await setUp()
  const [harbour, other] = [await folder('Harbour'), await folder('Other')]
  const ids = Array.from({ length: FILES }, (_, n) => n + 1)
  for (const id of ids) await put(id, [harbour])
  const random = randomNumbers(7)
  /** Runs that end at any of their calls, and then one that doesn't. */
  const workKilled = async () => {
    for (let kill = 0; kill < 10; kill++) {
      await work(new Faults(4 + random(60), random(2) === 0 ? 'before' : 'after').in(library.table)).catch(() => undefined)
      library.clock.advance(3_600)
      await reviveJobs(library, bulkJob.name)
    }
    await work()
  }
  const wanted: BulkChange = { keywords: { en: { add: ['new'] } }, folders: { kind: 'add', to: other } }
  const { bulkId } = await requestBulk(asking(admin), ids.map(toMediaId), wanted)
  await workKilled()
  assert.deepEqual(countsOf((await findBulk(library, bulkId))!), { state: 'DONE', total: FILES, changed: FILES, unchanged: 0, refused: 0 })
  for (const id of ids) {
    const { version, revision, keywords, folders } = await media(id)
    assert.deepEqual(
      { version, revision, keywords, folders },
      { version: 2, revision: 2, keywords: { en: ['new'] }, folders: [harbour, other] },
    )
  }
  const undo = await requestUndo(asking(admin), bulkId)
  await workKilled()
  assert.deepEqual(countsOf((await findBulk(library, undo.bulkId))!), {
    state: 'DONE',
    total: FILES,
    changed: FILES,
    unchanged: 0,
    refused: 0,
  })
  for (const id of ids) {
    const { version, revision, keywords, folders } = await media(id)
    assert.deepEqual({ version, revision, keywords, folders }, { version: 3, revision: 3, keywords: {}, folders: [harbour] })
  }
})
