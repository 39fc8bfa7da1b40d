import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { newFolder } from '../../../shared/library/tree/folder.ts'
import { FolderMap } from '../../../shared/library/tree/folder-map.ts'
import { toCompanyId, toFolderId } from '../../../shared/vocabulary/ids.ts'

const id = fc.integer({ min: 1, max: 40 }).map(toFolderId)
const folder = fc
  .tuple(id, fc.string({ maxLength: 2 }))
  .map(([folderId, name]) => newFolder(folderId, { companyId: toCompanyId(1), name, parent: null, created: 0 }))
const change = fc.record({ put: fc.array(folder, { maxLength: 4 }), remove: fc.array(id, { maxLength: 3 }) })

test('each of the maps that changes make holds what a copy of all would', () => {
  fc.assert(
    fc.property(fc.array(folder, { maxLength: 40 }), fc.array(change, { maxLength: 20 }), (first, changes) => {
      let expected = new Map(first.map((each) => [each.folderId, each]))
      let map = FolderMap.of([...expected.values()])
      const versions = [{ map, expected }]
      for (const { put, remove } of changes) {
        expected = new Map([...expected, ...put.map((each) => [each.folderId, each] as const)])
        for (const each of remove) expected.delete(each)
        map = map.with(put, remove)
        versions.push({ map, expected })
      }
      for (const version of versions) {
        const found = new Map([...version.map.values()].map((each) => [each.folderId, each]))
        assert.deepEqual(found, version.expected)
        assert.equal(version.map.size, version.expected.size)
        for (let n = 1; n <= 40; n++) assert.equal(version.map.get(toFolderId(n)), version.expected.get(toFolderId(n)))
      }
    }),
  )
})
