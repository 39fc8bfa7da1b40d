import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { pointIn, pointText, roundedPoint } from '../../shared/vocabulary/point.ts'

const fraction = fc.double({ min: 0, max: 1, noNaN: true })
const point = fc.record({ x: fraction, y: fraction })

describe('a focal point', () => {
  test('is rounded to the nearest of three decimals, which stays in the picture', () => {
    fc.assert(
      fc.property(point, (given) => {
        const rounded = roundedPoint(given)
        for (const side of ['x', 'y'] as const) {
          assert.ok(rounded[side] >= 0 && rounded[side] <= 1 && !Object.is(rounded[side], -0))
          assert.ok(Math.abs(rounded[side] - given[side]) <= 0.0005 + Number.EPSILON)
          assert.match(String(rounded[side]), /^[01](\.\d{1,3})?$/)
        }
        assert.deepEqual(roundedPoint(rounded), rounded)
      }),
    )
    assert.deepEqual(roundedPoint({ x: -0, y: 0.9996 }), { x: 0, y: 1 })
  })

  test('is text, and read from it as it was', () => {
    fc.assert(
      fc.property(point, (given) => {
        const rounded = roundedPoint(given)
        assert.deepEqual(pointIn(pointText(rounded)), rounded)
        assert.deepEqual(pointIn(`${given.x.toFixed(12)}, ${given.y.toFixed(12)}`), rounded)
      }),
    )
  })

  test('is no other text', () => {
    for (const text of ['', '0.5', '0.5;0.5', '1.1,0', '-0.1,0', '0.5,0.5,0.5', '.5,.5', '1e-3,0', '0x1,0', 'NaN,0', 'none'])
      assert.equal(pointIn(text), undefined, text)
  })
})
