import assert from 'node:assert/strict'
import { test } from 'vitest'
import { cutPosition } from '../../../../infra/clients/console/app/file/cut.ts'

const wide = { width: 2000, height: 1000 }

test.each([
  ['the middle of a picture', { x: 0.5, y: 0.5 }, { x: 50, y: 50 }],
  ['a point that can be in the middle of the cut', { x: 0.375, y: 0.1 }, { x: 25, y: 50 }],
  ['a point near the edge, where the cut ends with the picture', { x: 0.2, y: 0.9 }, { x: 0, y: 50 }],
  ['the other edge', { x: 1, y: 1 }, { x: 100, y: 50 }],
])('a square of a wide picture keeps %s', (_, point, position) => {
  assert.deepEqual(cutPosition(point, wide, 1), position)
})

test('a flat cut of a square moves up and down alone', () => {
  assert.deepEqual(cutPosition({ x: 0.1, y: 0.375 }, { width: 800, height: 800 }, 2), { x: 50, y: 25 })
})

test('a cut of the own shape is all of the picture', () => {
  assert.deepEqual(cutPosition({ x: 0, y: 1 }, wide, 2), { x: 50, y: 50 })
})
