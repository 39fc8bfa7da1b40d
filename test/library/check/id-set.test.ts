import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { IdSet } from '../../../shared/library/check/id-set.ts'
import { MAX_ID } from '../../../shared/library/ids.ts'

/** Ids that share pieces, and such that don't. */
const id = fc.oneof(fc.integer({ min: 0, max: 200_000 }), fc.integer({ min: MAX_ID - 70_000, max: MAX_ID }), fc.nat({ max: MAX_ID }))

test('has what was added and nothing else', () => {
  fc.assert(
    fc.property(fc.array(id, { maxLength: 500 }), fc.array(id, { maxLength: 100 }), (added, asked) => {
      const [set, expected] = [new IdSet(), new Set(added)]
      for (const each of added) set.add(each)
      for (const each of [...added, ...asked]) assert.equal(set.has(each), expected.has(each), String(each))
    }),
  )
})

test('has every id of a crowded piece, in whatever order they came', () => {
  const set = new IdSet()
  for (let n = 0; n < 65_536; n += 3) set.add((n * 40_503) & 0xffff)
  const expected = new Set(Array.from({ length: Math.ceil(65_536 / 3) }, (_, n) => (n * 3 * 40_503) & 0xffff))
  for (let low = 0; low < 65_536; low++) assert.equal(set.has(low), expected.has(low), String(low))
  assert.equal(set.has(65_536 + 3), false)
})
