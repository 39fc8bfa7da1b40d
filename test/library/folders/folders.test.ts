import assert from 'node:assert/strict'
import { test } from 'vitest'
import { Forbidden, Invalid } from '../../../shared/library/errors.ts'
import { changeFolder, createFolder, deleteFolder } from '../../../shared/library/folders/folders.ts'
import { purgeFolder } from '../../../shared/library/folders/purge.ts'
import { mediaKey } from '../../../shared/library/media/keys.ts'
import { removeContents, SETTLED_SECONDS } from '../../../shared/library/removals/folder.ts'
import { trashFolder } from '../../../shared/library/trash/trash-folder.ts'
import { claimId, newFolder } from '../../../shared/library/tree/folder.ts'
import { MAX_DEPTH } from '../../../shared/library/tree/folder-changes.ts'
import { ensureTrashcan } from '../../../shared/library/tree/system-folders.ts'
import { changeTree, loadTree } from '../../../shared/library/tree/tree-store.ts'
import { type FolderId, toFolderId, toMediaId } from '../../../shared/vocabulary/ids.ts'
import { by, openTestCompany, openTestTable, requestOf } from '../../support/library.ts'
import { putMedia } from '../../support/media.ts'

async function setUp() {
  const library = openTestTable()
  const { table, clock } = library
  const { companyId, admin: caller } = await openTestCompany(library)
  const admin = () => requestOf(library, caller)
  const create = (name: string, parent: FolderId | null = null) => createFolder(admin(), { name, parent })
  const move = (folderId: FolderId, parent: FolderId | null) => changeFolder(admin(), folderId, { parent })
  return { library, table, clock, companyId, caller, admin, create, move }
}

test('nesting ends at the limit, also for a moved subtree', async () => {
  const { create, move } = await setUp()
  let parent: FolderId | null = null
  for (let level = 0; level < MAX_DEPTH; level++) parent = (await create('level', parent)).folderId
  await assert.rejects(create('too deep', parent), Invalid)
  const top = await create('top')
  const bottom = await create('bottom', top.folderId)
  await assert.rejects(move(top.folderId, parent), Invalid)
  await assert.rejects(move(bottom.folderId, parent), Invalid)
})

test('removal takes pointers, orphaned files and records, wherever it is interrupted and however often it runs', async () => {
  const { table, clock, companyId, admin, create } = await setUp()
  const kept = await create('kept')
  const top = await create('top')
  const below = await create('below', top.folderId)
  for (let n = 0; n < 60; n++) {
    const folders = n % 3 === 0 ? [top.folderId, kept.folderId] : n % 3 === 1 ? [below.folderId] : [top.folderId, below.folderId]
    await putMedia(table, { mediaId: n + 1, companyId, folders })
  }
  await deleteFolder(admin(), top.folderId)

  let steps = 0
  const interrupted = () => ++steps % 3 === 0
  const job = { companyId, folderId: top.folderId }
  /** Goes on where the last run ended, as the job does; now and then a run comes twice. */
  const runToEnd = async () => {
    let left = await removeContents({ table, clock, by }, job, interrupted)
    while (left && left.inSeconds === undefined) {
      if (steps % 5 === 0) await removeContents({ table, clock, by }, { ...job, walk: left.cursor }, interrupted)
      left = await removeContents({ table, clock, by }, { ...job, walk: left.cursor }, interrupted)
    }
    return left
  }
  const settling = await runToEnd()
  assert.equal(settling?.inSeconds, SETTLED_SECONDS, 'records stay until no request from before the deletion can be alive')
  await putMedia(table, { mediaId: 1000, companyId, folders: [below.folderId] })

  clock.advance(SETTLED_SECONDS + 1)
  assert.equal(await runToEnd(), undefined)
  assert.equal(await removeContents({ table, clock, by }, job, () => false), undefined, 'once more is fine')

  const remaining = await table.getMany(Array.from({ length: 61 }, (_, n) => mediaKey(toMediaId(n < 60 ? n + 1 : 1000))))
  assert.equal(remaining.length, 20)
  assert.ok(remaining.every(({ folders }) => JSON.stringify(folders) === JSON.stringify([kept.folderId])))
  const tree = await loadTree({ table }, companyId)
  assert.deepEqual(tree.subtree(top.folderId), [])
})

test('a folder that holds a permanent one is not deleted, trashed, purged, or moved into a trashcan', async () => {
  const { library, caller, table, clock, companyId, admin, create, move } = await setUp()
  const top = await create('top')
  const below = await create('below', top.folderId)
  const permanentId = toFolderId(99)
  const system = newFolder(permanentId, { companyId, name: 'Permanent', parent: below.folderId, created: clock.now(), system: 'cdn' })
  await changeTree(library, companyId, () => ({ put: [system], also: { claim: claimId(companyId, permanentId) } }))
  const trashcan = await ensureTrashcan(library, companyId, caller.user.userId)
  for (const { folderId } of [top, below]) {
    await assert.rejects(deleteFolder(admin(), folderId), Forbidden)
    await assert.rejects(trashFolder(admin(), folderId), Forbidden)
    await assert.rejects(purgeFolder(admin(), folderId), Forbidden)
    await assert.rejects(move(folderId, trashcan.folderId), Forbidden)
  }
  const tree = await loadTree({ table }, companyId)
  assert.deepEqual(
    tree.chain(permanentId)?.map(({ folderId }) => folderId),
    [permanentId, below.folderId, top.folderId],
  )
  assert.equal((await move(below.folderId, null)).parent, null, 'elsewhere it may go')
})
