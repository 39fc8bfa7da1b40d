import assert from 'node:assert/strict'
import { test } from 'vitest'
import { expireTrash as declared } from '../../../functions/jobs/expire-trash.ts'
import { companyKey } from '../../../shared/library/accounts/companies.ts'
import { Conflict } from '../../../shared/library/errors.ts'
import { changeFolder, createFolder } from '../../../shared/library/folders/folders.ts'
import { jobsIn } from '../../../shared/library/jobs/in-state.ts'
import { cancelJob, retryJob } from '../../../shared/library/jobs/operator.ts'
import { timeIn } from '../../../shared/library/jobs/states.ts'
import { mediaKey } from '../../../shared/library/media/keys.ts'
import { moveMedia, trashMedia } from '../../../shared/library/media/place.ts'
import { expireTrash } from '../../../shared/library/trash/expiry.ts'
import { trashFolder } from '../../../shared/library/trash/trash-folder.ts'
import { ensureTrashcan } from '../../../shared/library/tree/system-folders.ts'
import { TRASH_DAYS, trashJob } from '../../../shared/library/tree/trash.ts'
import { loadTree } from '../../../shared/library/tree/tree-store.ts'
import { type FolderId, toMediaId } from '../../../shared/vocabulary/ids.ts'
import { beforeTransactions } from '../../support/before-transactions.ts'
import { runDueJobs } from '../../support/due-jobs.ts'
import { instead } from '../../support/instead.ts'
import { openTestCompany, openTestTable, requestOf } from '../../support/library.ts'
import { putMedia } from '../../support/media.ts'

const DAY = 86_400
const never = () => false

async function setUp() {
  const library = openTestTable()
  const { table, clock } = library
  const { companyId, admin } = await openTestCompany(library)
  const request = () => requestOf(library, admin)
  const trash = await ensureTrashcan(library, companyId, admin.user.userId)
  const create = async () => (await createFolder(request(), { name: 'Folder', parent: null })).folderId
  const folder = await create()
  return {
    ...{ library, table, clock, request, companyId },
    trashFolder: (folderId: FolderId) => trashFolder(request(), folderId),
    trash: trash.folderId,
    folder,
    expire: (outOfTime = never) => expireTrash(library, companyId, outOfTime),
    runJob: () => runDueJobs(library, declared),
    /** When the company's job runs next, in UNIX milliseconds. */
    next: async () => (await Array.fromAsync(jobsIn(library, 'later', [trashJob.name]))).map(timeIn),
    file: (mediaId: number) => putMedia(table, { mediaId, companyId, folders: [folder] }),
    isThere: async (mediaId: number) => (await table.get(mediaKey(toMediaId(mediaId)))) !== undefined,
    folderIsThere: async (folderId: FolderId) => (await loadTree({ table }, companyId)).get(folderId) !== undefined,
    create,
    restore: (folderId: FolderId) => changeFolder(request(), folderId, { parent: null }),
  }
}

test('what has lain there for its time goes, any number of runs and several at a time', async () => {
  const { clock, request, folder, expire, file, isThere, create, folderIsThere, trashFolder } = await setUp()
  const old = await create()
  for (const mediaId of [1, 2, 3, 4, 5]) await file(mediaId)
  for (const mediaId of [1, 2, 3, 4]) await trashMedia(request(), toMediaId(mediaId), folder)
  await trashFolder(old)
  clock.advance(TRASH_DAYS * DAY - 1)
  await expire()
  assert.deepEqual([await isThere(1), await folderIsThere(old)], [true, true])
  await trashMedia(request(), toMediaId(5), folder)
  clock.advance(1)
  await Promise.all([expire(), expire(), expire()])
  await expire()
  assert.deepEqual(await Promise.all([1, 2, 3, 4, 5].map(isThere)), [false, false, false, false, true])
  assert.equal(await folderIsThere(old), false)
})

test('what was restored stays, and what was thrown away anew has its time again', async () => {
  const { clock, request, trash, folder, expire, file, isThere, create, restore, folderIsThere, trashFolder } = await setUp()
  const [restored, again] = [await create(), await create()]
  for (const mediaId of [1, 2]) {
    await file(mediaId)
    await trashMedia(request(), toMediaId(mediaId), folder)
    await moveMedia(request(), toMediaId(mediaId), trash, folder)
  }
  for (const folderId of [restored, again]) {
    await trashFolder(folderId)
    await restore(folderId)
  }
  clock.advance(DAY)
  await trashMedia(request(), toMediaId(2), folder)
  await trashFolder(again)
  clock.advance((TRASH_DAYS - 1) * DAY)
  await expire()
  assert.deepEqual(await Promise.all([isThere(1), isThere(2), folderIsThere(restored), folderIsThere(again)]), [true, true, true, true])
  clock.advance(DAY)
  await expire()
  assert.deepEqual(await Promise.all([isThere(1), isThere(2), folderIsThere(restored), folderIsThere(again)]), [true, false, true, false])
})

test('an entry that cannot be deleted does not hold up the others, and is tried again', async () => {
  const { library, table, clock, request, companyId, folder, expire, file, isThere } = await setUp()
  const ids = Array.from({ length: 10 }, (_, n) => n + 1)
  for (const mediaId of ids) {
    await file(mediaId)
    await trashMedia(request(), toMediaId(mediaId), folder)
  }
  clock.advance(TRASH_DAYS * DAY)
  const failing = beforeTransactions(table, async (operations) => {
    const touches = Object.values(operations).some(
      (operation) => 'delete' in operation && operation.delete.pk === mediaKey(toMediaId(1)).pk,
    )
    if (touches) throw new Error('not this one')
  })
  await assert.rejects(expireTrash({ ...library, table: failing }, companyId, never), AggregateError)
  assert.deepEqual(await Promise.all(ids.map(isThere)), [true, ...ids.slice(1).map(() => false)])
  await expire()
  assert.equal(await isThere(1), false)
})

test('the job of a company runs when the next entry is due, and goes on for entries that come later', async () => {
  const { clock, request, folder, file, isThere, runJob, next } = await setUp()
  const began = clock.now()
  assert.deepEqual(await next(), [began + TRASH_DAYS * DAY * 1000])
  await file(1)
  clock.advance(3 * DAY)
  await trashMedia(request(), toMediaId(1), folder)
  clock.advance((TRASH_DAYS - 3) * DAY)
  await runJob()
  assert.deepEqual([await isThere(1), await next()], [true, [clock.now() + 3 * DAY * 1000]])
  clock.advance(3 * DAY)
  await runJob()
  assert.deepEqual([await isThere(1), await next()], [false, [clock.now() + TRASH_DAYS * DAY * 1000]])
})

test('an entry that a run does not see in the index yet goes when its time comes', async () => {
  const { library, table, clock, request, companyId, folder, file, isThere } = await setUp()
  await file(1)
  await trashMedia(request(), toMediaId(1), folder)
  const blind = instead(table, { query: async () => ({ items: [] }) })
  const again = await expireTrash({ ...library, table: blind }, companyId, never)
  clock.advance(again!.inSeconds!)
  await expireTrash(library, companyId, never)
  assert.equal(await isThere(1), false)
})

test('a run whose time is over leaves the rest to the next one, at once', async () => {
  const { clock, request, folder, expire, file, isThere } = await setUp()
  for (const mediaId of [1, 2]) {
    await file(mediaId)
    await trashMedia(request(), toMediaId(mediaId), folder)
  }
  clock.advance(TRASH_DAYS * DAY)
  const outOfTime = [false, true]
  assert.deepEqual(await expire(() => outOfTime.shift()!), {})
  assert.deepEqual(await Promise.all([1, 2].map(isThere)), [false, true])
  await expire()
  assert.equal(await isThere(2), false)
})

test('the job stays as long as the company, whatever an operator does', async () => {
  const { library, companyId, runJob, next } = await setUp()
  await assert.rejects(cancelJob(library, `expire-trash.${companyId}`, declared.cancelled), Conflict)
  await library.table.delete(companyKey(companyId))
  await retryJob(library, `expire-trash.${companyId}`)
  await runJob()
  assert.deepEqual(await next(), [])
})
