import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { Positions } from '../../../shared/library/tree/folder-map.ts'
import { MAX_ID } from '../../../shared/vocabulary/ids.ts'

const id = fc.oneof(fc.integer({ min: 1, max: 50 }), fc.integer({ min: MAX_ID - 50, max: MAX_ID }))

test('the position of each id is found, and none of an id that is not in the list', () => {
  fc.assert(
    fc.property(fc.uniqueArray(id), id, (ids, other) => {
      const positions = Positions.of(ids)
      for (const [at, each] of ids.entries()) assert.equal(positions.find(each), at)
      assert.equal(positions.find(other), ids.includes(other) ? ids.indexOf(other) : undefined)
    }),
  )
})

test('the largest ids of a long list keep their places', () => {
  const ids = Array.from({ length: 300_000 }, (_, n) => MAX_ID - n)
  const positions = Positions.of(ids)
  assert.ok(ids.every((each, at) => positions.find(each) === at))
})
