import assert from 'node:assert/strict'
import { test } from 'vitest'
import type { Table } from '../../../shared/backends/table/port.ts'
import { createFolder, deleteFolder } from '../../../shared/library/folders/folders.ts'
import { mediaKey } from '../../../shared/library/media/keys.ts'
import { removeContents, SETTLED_SECONDS, type Walk } from '../../../shared/library/removals/folder.ts'
import { loadTree } from '../../../shared/library/tree/tree-store.ts'
import { type FolderId, toMediaId } from '../../../shared/vocabulary/ids.ts'
import { beforeTransactions } from '../../support/before-transactions.ts'
import { by, openTestCompany, openTestTable, requestOf } from '../../support/library.ts'
import { putMedia } from '../../support/media.ts'

/** A deleted folder with others in it. */
async function setUp(below: number) {
  const library = openTestTable()
  const { table, clock } = library
  const { companyId, admin } = await openTestCompany(library)
  const create = async (parent: FolderId | null) => (await createFolder(requestOf(library, admin), { name: 'Folder', parent })).folderId
  const top = await create(null)
  const folders = [top]
  while (folders.length <= below) folders.push(await create(top))
  const run = (left: { cursor: Walk } | undefined, outOfTime: () => boolean = () => false, over: Table = table) =>
    removeContents({ table: over, clock, by }, { companyId, folderId: top, walk: left?.cursor }, outOfTime)
  return {
    ...{ table, clock, companyId, top, run },
    /** In the order in which a walk comes to them. */
    folders: folders.sort((a, b) => a - b),
    file: (mediaId: number, folder: number) => putMedia(table, { mediaId, companyId, folders: [folder] }),
    remove: () => deleteFolder(requestOf(library, admin), top),
    recordsLeft: async () => (await loadTree(library, companyId)).everyStored().filter(({ deleted }) => deleted !== undefined).length,
    pointersTo: async (mediaId: number) =>
      (await table.query({ pk: mediaKey(toMediaId(mediaId)).pk, sk: { beginsWith: 'FOLDER#' } })).items.length,
  }
}

test('a pointer that comes behind a slow first walk is found by another', async () => {
  const { table, clock, folders, file, remove, run, recordsLeft, pointersTo } = await setUp(3)
  for (const [n, folder] of folders.entries()) await file(n + 1, folder)
  await remove()
  let writes = 0
  const slow = beforeTransactions(table, async () => {
    writes += 1
    clock.advance(SETTLED_SECONDS + 1)
    if (writes === 3) await file(100, folders[0]!)
  })
  const left = await run(undefined, undefined, slow)
  assert.deepEqual([left?.inSeconds, writes], [SETTLED_SECONDS, folders.length])
  clock.advance(SETTLED_SECONDS)
  assert.equal(await run(left), undefined)
  assert.deepEqual([await recordsLeft(), await pointersTo(100)], [0, 0])
})

test('a walk that began early stays one, however often it is handed on', async () => {
  const { clock, folders, file, remove, run, recordsLeft, pointersTo } = await setUp(5)
  await remove()
  let steps = 0
  const first = await run(undefined, () => ++steps > 3)
  assert.equal(first?.cursor.isLast, false)
  // Behind the walk, which ends long after the last request that knew the folder.
  await file(100, folders[0]!)
  clock.advance(SETTLED_SECONDS + 1)
  const second = await run(first)
  assert.ok(second?.inSeconds && (await recordsLeft()) > 0)
  assert.equal(await run(second), undefined)
  assert.deepEqual([await recordsLeft(), await pointersTo(100)], [0, 0])
})
