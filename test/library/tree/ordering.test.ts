import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { createFolder } from '../../../shared/library/folders/folders.ts'
import { orderedFolders } from '../../../shared/library/folders/ordered-folders.ts'
import { type FolderRecord, newFolder } from '../../../shared/library/tree/folder.ts'
import { comparing, type FolderField } from '../../../shared/library/tree/ordering.ts'
import { Tree } from '../../../shared/library/tree/tree.ts'
import { type FolderId, toCompanyId, toFolderId } from '../../../shared/vocabulary/ids.ts'
import { openTestCompany, openTestTable, requestOf } from '../../support/library.ts'

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

test('many changes at once come in their order, too', () => {
  const folders = Array.from({ length: 3_000 }, (_, n) => folder([toFolderId(n + 1), `Folder ${(n * 7919) % 3_000}`, n, false]))
  const tree = new Tree(COMPANY, 0, folders)
  for (const field of ['name', 'created'] as const) tree.sortedBy(field)
  const changed = tree.with(
    1,
    folders.slice(0, 2_000).map((record, n) => ({ ...record, name: `Renamed ${(n * 31) % 2_000}`, created: -n })),
  )
  for (const field of ['name', 'created'] as const) assert.deepEqual(changed.sortedBy(field), [...changed.all()].sort(comparing(field)))
})

test('folders of several companies come in one order, whichever way', async () => {
  const library = openTestTable()
  const [own, other] = [await openTestCompany(library), await openTestCompany(library)]
  const companies = [own, other].map(({ companyId }) => ({ companyId, admin: true }))
  const acting = () => requestOf(library, { ...own.admin, user: { ...own.admin.user, companies } })
  for (const [name, { companyId }] of [
    ['Folder 10', own],
    ['folder 9', other],
    ['Ärger', own],
    ['archive', other],
    ['Zoo', own],
  ] as const) {
    library.clock.advance(1)
    await createFolder(acting(), { name, parent: null, companyId })
  }
  const names = async (order: Parameters<typeof orderedFolders>[2]) => {
    const folders = await orderedFolders(acting(), [own.companyId, other.companyId], order)
    return folders.filter(({ record }) => !record.system).map(({ record }) => record.name)
  }
  const byName = ['archive', 'Ärger', 'folder 9', 'Folder 10', 'Zoo']
  assert.deepEqual(await names({}), byName)
  assert.deepEqual(await names({ order: 'desc' }), byName.toReversed())
  assert.deepEqual(await names({ sortBy: 'created' }), ['Folder 10', 'folder 9', 'Ärger', 'archive', 'Zoo'])
})
