import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NotFound } from '../../../shared/library/errors.ts'
import { changeTree } from '../../../shared/library/folders/tree-store.ts'
import { mediaKey, pointerKey } from '../../../shared/library/media/media.ts'
import { changePointers } from '../../../shared/library/media/pointers.ts'
import { documentFeed } from '../../../shared/library/media/search-feed.ts'
import { openTestTable } from '../../support/library.ts'
import { putFolders, putMedia } from '../../support/media.ts'

const without = (folderId: number) => (folders: ReadonlySet<number>) => folders.difference(new Set([folderId]))
const and = (folderId: number) => (folders: ReadonlySet<number>) => folders.union(new Set([folderId]))

test('the last pointer takes the file with it and leaves a tombstone in the feed', async (t) => {
  const { table, clock } = openTestTable(t)
  await putMedia(table, { mediaId: 1, folders: [10, 11], modified: clock.now() })
  assert.deepEqual(await changePointers({ table, clock }, 1, without(10)), [11])
  assert.deepEqual(await changePointers({ table, clock }, 1, without(11)), [])
  assert.equal(await table.get(mediaKey(1)), undefined)
  assert.deepEqual(await table.getMany([pointerKey(1, 10), pointerKey(1, 11)]), [])
  const { changes } = await documentFeed(table, clock).changes(1, undefined)
  assert.deepEqual(changes, [{ mediaId: 1, revision: 3, removed: true }])
})

test('copy and removal of the last pointer at the same time leave a whole file or none', async (t) => {
  const { table, clock } = openTestTable(t)
  await putFolders(table, clock, [10, 11])
  for (let mediaId = 1; mediaId <= 30; mediaId++) {
    await putMedia(table, { mediaId, folders: [10] })
    const [copied] = await Promise.allSettled([
      changePointers({ table, clock }, mediaId, and(11)),
      changePointers({ table, clock }, mediaId, without(10)),
    ])
    const media = await table.get(mediaKey(mediaId))
    const pointers = (await table.query({ pk: `MEDIA#${mediaId}`, sk: { beginsWith: 'FOLDER#' } })).items.map(({ contents }) => contents)
    if (copied.status === 'fulfilled') assert.deepEqual([media?.folders, pointers], [[11], [11]])
    else {
      assert.ok(copied.reason instanceof NotFound)
      assert.deepEqual([media, pointers], [undefined, []])
    }
  }
})

test('a pointer that is there already changes nothing', async (t) => {
  const { table, clock } = openTestTable(t)
  await putMedia(table, { mediaId: 1, folders: [10] })
  await changePointers({ table, clock }, 1, and(10))
  assert.equal((await table.get(mediaKey(1)))?.revision, 1)
})

test('a file is not put into a folder that is gone, or was purged since', async (t) => {
  const { table, clock } = openTestTable(t)
  await putFolders(table, clock, [10, 11])
  await putMedia(table, { mediaId: 1, folders: [10] })
  await assert.rejects(changePointers({ table, clock }, 1, and(12)), NotFound)
  await changeTree(table, clock, 1, (tree) => ({ put: [{ ...tree.get(11)!, contents: 99 }] }))
  await assert.rejects(changePointers({ table, clock }, 1, and(11)), NotFound)
  assert.deepEqual(await changePointers({ table, clock }, 1, and(99)), [10, 99])
})
