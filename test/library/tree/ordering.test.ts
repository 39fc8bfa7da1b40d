import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { type FolderRecord, newFolder } from '../../../shared/library/tree/folder.ts'
import { comparing, type FolderField } from '../../../shared/library/tree/ordering.ts'
import { Tree } from '../../../shared/library/tree/tree.ts'
import { type FolderId, toCompanyId, toFolderId } from '../../../shared/vocabulary/ids.ts'

const COMPANY = toCompanyId(42)
const folder = ([folderId, name, created, deleted]: [FolderId, string, number, boolean]): FolderRecord => ({
  ...newFolder(folderId, { companyId: COMPANY, name, parent: null, created }),
  ...(deleted ? { deleted: 1 } : {}),
})

const folderId = fc.integer({ min: 1, max: 20 }).map(toFolderId)
const change = fc.record({
  put: fc.array(fc.tuple(folderId, fc.string({ maxLength: 2 }), fc.nat(3), fc.boolean()).map(folder), {
    maxLength: 5,
  }),
  remove: fc.array(folderId, { maxLength: 3 }),
  sorted: fc.boolean(),
})

test('a tree that was sorted in earlier versions is in the same order as one that is sorted for the first time', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 12 }), fc.constantFrom<FolderField>('name', 'created'), (changes, field) => {
      let tree = new Tree(COMPANY, 0, [])
      for (const { put, remove, sorted } of changes) {
        tree = tree.with(tree.version + 1, put, remove)
        if (sorted) assert.deepEqual(tree.sortedBy(field), [...tree.all()].sort(comparing(field)))
      }
      assert.deepEqual(tree.sortedBy(field), [...tree.all()].sort(comparing(field)))
    }),
  )
})
