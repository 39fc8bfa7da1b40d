import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { type RightSources, TreeRights } from '../../../shared/library/access/tree-rights.ts'
import { FULL_RIGHTS, NO_RIGHTS, type Right } from '../../../shared/library/tree/folder.ts'
import { Tree } from '../../../shared/library/tree/tree.ts'
import { anyFolderId, anyShares, anyTree, users } from '../tree/random-trees.ts'

const sources: fc.Arbitrary<RightSources> = fc.record({
  everywhere: fc.constantFrom(NO_RIGHTS, FULL_RIGHTS),
  userId: fc.constantFrom(...users),
  shares: anyShares,
})
const change = fc.record({
  at: fc.nat(25),
  to: fc.oneof(
    fc.record({ name: fc.constantFrom('e', 'f') }),
    fc.record({ grants: fc.dictionary(fc.constantFrom(...users.map(String)), fc.constant<Right[]>(['READ']), { maxKeys: 1 }) }),
    fc.record({ parent: fc.option(anyFolderId) }),
    fc.record({ owner: fc.constantFrom(...users), system: fc.constant('trash' as const) }),
  ),
})

test('rights on all folders are those of a tree that is read anew, whatever changed since others asked', () => {
  fc.assert(
    fc.property(anyTree, fc.array(fc.tuple(change, sources), { maxLength: 8 }), (first, steps) => {
      let tree = first
      for (const [{ at, to }, asking] of steps) {
        new TreeRights(tree, asking).at(0)
        const record = tree.everyStored()[at]
        if (record) tree = tree.with(tree.version + 1, [{ ...record, ...to }])
        const anew = new Tree(tree.companyId, tree.version, tree.everyStored())
        const [rights, expected] = [new TreeRights(tree, asking), new TreeRights(anew, asking)]
        for (const folder of tree.everyStored()) assert.equal(rights.of(folder), expected.of(folder))
      }
    }),
  )
})
