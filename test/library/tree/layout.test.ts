import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { covers } from '../../../shared/library/tree/layout.ts'
import { comparing } from '../../../shared/library/tree/ordering.ts'
import { trashOwner } from '../../../shared/library/tree/tree.ts'
import { anyFolderId, anyTree } from './random-trees.ts'

test('what lies below a folder is a range of numbers, whatever was deleted, purged or thrown away', () => {
  fc.assert(
    fc.property(anyTree, (tree) => {
      const { layout } = tree
      const there = [...tree.all()]
      assert.deepEqual(new Set(layout.folders), new Set(there))
      for (const record of there) {
        const number = layout.numberOf(record.folderId)!
        assert.equal(layout.folders.at(number), record)
        assert.equal(layout.trashOwners[number], trashOwner(tree, record) ?? 0)
        const below = there.filter(({ folderId }) => tree.isWithin(folderId, record.folderId))
        assert.deepEqual(new Set([...layout.folders].slice(...layout.subtree(number))), new Set(below))
      }
    }),
  )
})

test('folders that are named again, or lie in others that are named, are visited once', () => {
  const ids = fc.array(anyFolderId, { maxLength: 60 })
  fc.assert(
    fc.property(anyTree, ids, fc.boolean(), (tree, named, recursive) => {
      const { layout } = tree
      const ranges = layout.ranges(named, recursive)
      const visited = ranges.flatMap((range) => [...layout.folders].slice(...range))
      const expected = [...tree.all()].filter(({ folderId }) =>
        named.some((id) => (recursive ? tree.isWithin(folderId, id) : folderId === id)),
      )
      assert.equal(visited.length, new Set(visited).size)
      assert.deepEqual(new Set(visited), new Set(expected))
      layout.folders.forEach((record, number) => {
        assert.equal(covers(ranges, number), visited.includes(record))
      })
    }),
  )
})

test('the folders in one, and those at the root, come in order', () => {
  fc.assert(
    fc.property(anyTree, fc.option(anyFolderId), fc.constantFrom('name', 'created'), (tree, parent, field) => {
      const expected = [...tree.all()].filter((folder) => folder.parent === parent).sort(comparing(field))
      assert.deepEqual(tree.children(parent, field), expected)
      assert.deepEqual(tree.children(parent, field), expected, 'asked again')
    }),
  )
})
