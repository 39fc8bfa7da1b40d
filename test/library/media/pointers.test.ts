import assert from 'node:assert/strict'
import { test } from 'vitest'
import { Invalid, NotFound } from '../../../shared/library/errors.ts'
import { mediaKey, pointerKey, type StoredMedia } from '../../../shared/library/media/keys.ts'
import { type Placement, type PointerKind, placementOf, withoutPointers, withPointer } from '../../../shared/library/media/placement.ts'
import { changePointers, MAX_CHANGED_POINTERS, MAX_FOLDERS, removePointers } from '../../../shared/library/media/pointers.ts'
import { documentFeed } from '../../../shared/library/media/search-feed.ts'
import { changeTree } from '../../../shared/library/tree/tree-store.ts'
import { toContentsId, toMediaId } from '../../../shared/vocabulary/ids.ts'
import { openTestTable } from '../../support/library.ts'
import { COMPANY, folderWith, putFolders, putMedia } from '../../support/media.ts'

const FILE = toMediaId(1)

const without = (folderId: number) => (placement: Placement) => withoutPointers(placement, new Set([toContentsId(folderId)]))
const and =
  (folderId: number, kind: PointerKind = 'full') =>
  (placement: Placement) =>
    withPointer(placement, toContentsId(folderId), kind)
const full = (...folders: number[]): Placement => placementOf({ folders: folders.map(toContentsId) })

test('the last pointer takes the file with it and leaves a tombstone in the feed', async () => {
  const library = openTestTable()
  const { table, clock } = library
  await putMedia(table, { mediaId: 1, folders: [10, 11], modified: clock.now() })
  assert.deepEqual(await changePointers(library, FILE, without(10)), full(11))
  assert.deepEqual(await changePointers(library, FILE, without(11)), full())
  assert.equal(await table.get(mediaKey(FILE)), undefined)
  assert.deepEqual(await table.getMany([pointerKey(FILE, toContentsId(10)), pointerKey(FILE, toContentsId(11))]), [])
  const { changes } = await documentFeed({ table, clock }).changes(COMPANY, undefined)
  assert.deepEqual(changes, [{ mediaId: 1, revision: 3, removed: true }])
})

test('copy and removal of the last pointer at the same time leave a whole file or none', async () => {
  const library = openTestTable()
  const { table } = library
  await putFolders(library, [10, 11])
  for (let mediaId = 1; mediaId <= 30; mediaId++) {
    await putMedia(table, { mediaId, folders: [10] })
    const [copied] = await Promise.allSettled([
      changePointers(library, toMediaId(mediaId), and(11)),
      changePointers(library, toMediaId(mediaId), without(10)),
    ])
    const media = await table.get(mediaKey(toMediaId(mediaId)))
    const pointers = (await table.query({ pk: `MEDIA#${mediaId}`, sk: { beginsWith: 'FOLDER#' } })).items.map(({ contents }) => contents)
    if (copied.status === 'fulfilled') assert.deepEqual([media?.folders, pointers], [[11], [11]])
    else {
      assert.ok(copied.reason instanceof NotFound)
      assert.deepEqual([media, pointers], [undefined, []])
    }
  }
})

test('the record tells which pointers are read-only, as long as they are there', async () => {
  const library = openTestTable()
  const { table } = library
  await putFolders(library, [10, 11, 12])
  await putMedia(table, { mediaId: 1, folders: [10] })
  const stored = async () => {
    const { folders, readOnlyIn, revision, version } = (await table.get<StoredMedia>(mediaKey(FILE)))!
    return { folders, readOnlyIn, revision, version }
  }
  await changePointers(library, FILE, and(11, 'read-only'))
  await changePointers(library, FILE, and(12, 'read-only'))
  assert.deepEqual(await stored(), { folders: [10, 11, 12], readOnlyIn: [11, 12], revision: 3, version: 1 })
  await changePointers(library, FILE, and(10, 'read-only'))
  assert.equal((await stored()).revision, 3, 'a full one stays full')
  await changePointers(library, FILE, and(11, 'full'))
  assert.deepEqual(await stored(), { folders: [10, 11, 12], readOnlyIn: [12], revision: 4, version: 1 })
  await changePointers(library, FILE, without(11))
  await removePointers(library, [FILE], toContentsId(12))
  assert.deepEqual(await stored(), { folders: [10], readOnlyIn: [], revision: 6, version: 1 })
})

test('pointers that were stored before any could be read-only are full', () => {
  assert.deepEqual([...full(10, 11).values()], ['full', 'full'])
})

test('a file is not put into a folder that is gone, or was purged since', async () => {
  const library = openTestTable()
  const { table } = library
  await putFolders(library, [10, 11])
  await putMedia(table, { mediaId: 1, folders: [10] })
  await assert.rejects(changePointers(library, FILE, and(12)), NotFound)
  await changeTree(library, COMPANY, (tree) => ({ put: [{ ...tree.get(folderWith(11))!, contents: toContentsId(99) }] }))
  await assert.rejects(changePointers(library, FILE, and(11)), NotFound)
  assert.deepEqual(await changePointers(library, FILE, and(99)), full(10, 99))
})

const ids = (from: number, count: number) => Array.from({ length: count }, (_, n) => from + n)

test('one request changes no more pointers than a transaction holds', async () => {
  const library = openTestTable()
  const { table } = library
  const many = ids(100, MAX_CHANGED_POINTERS + 1)
  for (let n = 0; n < many.length; n += 40) await putFolders(library, many.slice(n, n + 40))
  await putFolders(library, [10])
  await putMedia(table, { mediaId: 1, folders: [10] })
  const set = (folders: number[]) => changePointers(library, FILE, () => full(...folders))
  await assert.rejects(set([10, ...many]), Invalid)
  await assert.rejects(set(many.slice(1)), Invalid, 'one that goes counts too')
  assert.equal((await table.get(mediaKey(FILE)))?.revision, 1)
  assert.deepEqual(await set([10, ...many.slice(1)]), full(10, ...many.slice(1)))
  assert.deepEqual(await set([10]), full(10))
})

test('a file is in no more folders than fit into its record', async () => {
  const library = openTestTable()
  const { table } = library
  const held = ids(100, MAX_FOLDERS)
  await putFolders(library, [10])
  await putMedia(table, { mediaId: 1, folders: held })
  await assert.rejects(changePointers(library, FILE, and(10)), Invalid)
  const exchanged = await changePointers(library, FILE, (placement) => and(10)(without(100)(placement)))
  assert.equal(exchanged.size, MAX_FOLDERS)
})
