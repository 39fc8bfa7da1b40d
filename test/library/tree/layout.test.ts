import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { type FolderRecord, newFolder } from '../../../shared/library/tree/folder.ts'
import { covers } from '../../../shared/library/tree/layout.ts'
import { comparing } from '../../../shared/library/tree/ordering.ts'
import { type Tree, trashOwner } from '../../../shared/library/tree/tree.ts'
import { type FolderId, toContentsId, toFolderId } from '../../../shared/vocabulary/ids.ts'
import { anyFolderId, anyTree, users } from './random-trees.ts'

function checkLayout(tree: Tree): void {
  const { layout } = tree
  const there = [...tree.all()]
  assert.equal(layout.folders.length, there.length)
  assert.deepEqual(new Set(layout.folders), new Set(there))
  for (const record of there) {
    const number = layout.numberOf(record.folderId)!
    assert.equal(layout.folders.at(number), record)
    assert.equal(layout.trashOwners[number], trashOwner(tree, record) ?? 0)
    const below = there.filter(({ folderId }) => tree.isWithin(folderId, record.folderId))
    assert.deepEqual(new Set([...layout.folders].slice(...layout.subtree(number))), new Set(below))
  }
  for (const field of ['name', 'created'] as const) assert.deepEqual(tree.sortedBy(field), there.toSorted(comparing(field)))
}

test('what lies below a folder is a range of numbers, whatever was deleted, purged or thrown away', () => {
  fc.assert(fc.property(anyTree, checkLayout))
})

/** Of a folder that there is, or of a new one. */
const change = fc.record({
  folderId: fc.oneof(anyFolderId, fc.integer({ min: 30, max: 34 }).map(toFolderId)),
  to: fc.oneof(
    { weight: 3, arbitrary: fc.record({ name: fc.constantFrom('e', 'f') }) },
    { weight: 3, arbitrary: fc.record({ parent: fc.option(anyFolderId) }) },
    fc.record({ owner: fc.constantFrom(...users), system: fc.constant('trash' as const) }),
    fc.record({ deleted: fc.constant(1) }),
    fc.record({ contents: fc.integer({ min: 2_000, max: 2_004 }).map(toContentsId) }),
  ),
  /** Whether it hangs on what its parent contains now. */
  isPlaced: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, fc.constant(false)),
})
const changes = fc.array(
  fc.record({ put: fc.array(change, { maxLength: 3 }), remove: fc.array(anyFolderId, { maxLength: 1 }), isAsked: fc.boolean() }),
  {
    maxLength: 10,
  },
)

test('that holds after each of many changes of a tree', () => {
  fc.assert(
    fc.property(anyTree, changes, (first, steps) => {
      let tree = first
      for (const { put, remove, isAsked } of steps) {
        if (isAsked) checkLayout(tree)
        const records = new Map<FolderId, FolderRecord>()
        for (const { folderId, to, isPlaced } of put) {
          const created = newFolder(folderId, { companyId: tree.companyId, name: 'new', parent: null, created: 0 })
          const record = { ...(records.get(folderId) ?? tree.record(folderId) ?? created), ...to }
          const parent = record.parent === null ? undefined : (records.get(record.parent) ?? tree.record(record.parent))
          // A write that moves a folder to the root leaves no contents that it hung on.
          const parentContents = isPlaced || record.parent === null ? parent?.contents : record.parentContents
          records.set(folderId, { ...record, parentContents })
        }
        tree = tree.with(tree.version + 1, [...records.values()], remove)
      }
      checkLayout(tree)
    }),
    { numRuns: 1_000 },
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
