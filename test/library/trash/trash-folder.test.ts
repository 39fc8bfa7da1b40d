import assert from 'node:assert/strict'
import { test } from 'vitest'
import type { Table } from '../../../shared/backends/table/port.ts'
import type { UserCaller } from '../../../shared/library/access/caller.ts'
import { changeFolder, createFolder } from '../../../shared/library/folders/folders.ts'
import { mediaKey, type StoredMedia } from '../../../shared/library/media/keys.ts'
import { trashMedia } from '../../../shared/library/media/place.ts'
import { trashFolder } from '../../../shared/library/trash/trash-folder.ts'
import { ensureTrashcan } from '../../../shared/library/tree/system-folders.ts'
import { trashOwner } from '../../../shared/library/tree/tree.ts'
import { loadTree } from '../../../shared/library/tree/tree-store.ts'
import { type FolderId, toMediaId } from '../../../shared/vocabulary/ids.ts'
import { beforeTransactions } from '../../support/before-transactions.ts'
import { callerOf, openTestCompany, openTestTable, requestOf } from '../../support/library.ts'
import { putMedia } from '../../support/media.ts'

async function setUp() {
  const library = openTestTable()
  const { table } = library
  const { companyId, admin: caller, add } = await openTestCompany(library)
  const create = async () => (await createFolder(requestOf(library, caller), { name: 'Folder', parent: null })).folderId
  const fellow = callerOf(await add('fellow', true))
  const trashcanOf = async ({ user }: UserCaller) => (await ensureTrashcan(library, companyId, user.userId)).folderId
  const [trashcan] = [await trashcanOf(caller), await trashcanOf(fellow)]
  return {
    ...{ library, table, companyId, caller, create },
    fellow,
    trashcan,
    trash: (folderId: FolderId, by = caller, over: Table = table) => trashFolder(requestOf({ ...library, table: over }, by), folderId),
    restore: (folderId: FolderId) => changeFolder(requestOf(library, caller), folderId, { parent: null }),
    /** User in whose trashcan a folder lies; undefined where it lies in none, or is gone. */
    async ownerOf(folderId: FolderId) {
      const tree = await loadTree({ table }, companyId)
      const folder = tree.get(folderId)
      return folder && trashOwner(tree, folder)
    },
  }
}

/** A table as two processes have it, of which both have looked before either writes. */
function meeting(table: Table): [Table, Table] {
  let arrived = 0
  const both = Promise.withResolvers<void>()
  const one = () =>
    beforeTransactions(table, () => {
      arrived += 1
      if (arrived === 2) both.resolve()
      return both.promise
    })
  return [one(), one()]
}

test('thrown away by two users at the same time, a folder lies in the trashcan of one of them', async () => {
  const { table, caller, fellow, create, trash, ownerOf } = await setUp()
  const folder = await create()
  const [one, other] = meeting(table)
  await Promise.all([trash(folder, caller, one), trash(folder, fellow, other)])
  const owner = await ownerOf(folder)
  assert.ok(owner === caller.user.userId || owner === fellow.user.userId)
})

test('a file whose folder is restored between look and write goes to the trashcan', async () => {
  const { library, table, caller, companyId, create, trash, restore, trashcan } = await setUp()
  const folder = await create()
  await putMedia(table, { mediaId: 1, companyId, folders: [folder] })
  await trash(folder)
  let writes = 0
  const restoring = beforeTransactions(table, async () => {
    if (writes++ > 0) return
    await restore(folder)
    // Somebody else changes the file too: this write fails, and the next looks again.
    await table.update(mediaKey(toMediaId(1)), { add: { revision: 1 } })
  })
  await trashMedia(requestOf({ ...library, table: restoring }, caller), toMediaId(1), folder)
  assert.deepEqual((await table.get<StoredMedia>(mediaKey(toMediaId(1))))?.folders, [trashcan])
})
