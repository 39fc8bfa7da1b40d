import assert from 'node:assert/strict'
import { test } from 'vitest'
import { TRASH_DAYS } from '../../../shared/library/due.ts'
import { changeFolder, createFolder } from '../../../shared/library/folders/folders.ts'
import { mediaKey } from '../../../shared/library/media/keys.ts'
import { moveMedia, trashMedia } from '../../../shared/library/media/place.ts'
import { expireTrash } from '../../../shared/library/trash/expiry.ts'
import { trashFolder } from '../../../shared/library/trash/trash-folder.ts'
import { ensureTrashcan } from '../../../shared/library/tree/system-folders.ts'
import { loadTree } from '../../../shared/library/tree/tree-store.ts'
import { type FolderId, toMediaId } from '../../../shared/vocabulary/ids.ts'
import { beforeTransactions } from '../../support/before-transactions.ts'
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
    expire: (outOfTime = never) => expireTrash(library, outOfTime),
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
  const { library, table, clock, request, folder, expire, file, isThere } = await setUp()
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
  await assert.rejects(expireTrash({ ...library, table: failing }, never), AggregateError)
  assert.deepEqual(await Promise.all(ids.map(isThere)), [true, ...ids.slice(1).map(() => false)])
  await expire()
  assert.equal(await isThere(1), false)
})
