import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { storedPart } from '../../../../infra/clients/console/app/file/orientation.ts'
import { contains, fitted, held, visible, zoomed } from '../../../../infra/clients/console/app/file/zoom.ts'

const frame = { width: 800, height: 600 }

describe('the view of a picture in its frame', () => {
  test('shows the whole picture in the middle, and small ones at their size', () => {
    assert.deepEqual(fitted({ width: 4000, height: 1000 }, frame, 1), { x: 0, y: 200, scale: 0.2 })
    assert.deepEqual(fitted({ width: 100, height: 50 }, frame, 1), { x: 350, y: 275, scale: 1 })
    assert.deepEqual(fitted({ width: 100, height: 50 }, frame, 0.5), { x: 375, y: 287.5, scale: 0.5 })
  })

  test('keeps what is under the pointer there, between the whole picture and eight times its pixels', () => {
    const picture = { width: 4000, height: 3000 }
    const view = zoomed(fitted(picture, frame, 1), 1, { x: 200, y: 150 }, picture, frame, 1)
    assert.deepEqual(view, { x: -800, y: -600, scale: 1 })
    assert.equal(zoomed(view, 100, { x: 0, y: 0 }, picture, frame, 1).scale, 8)
    assert.equal(zoomed(view, 0.001, { x: 0, y: 0 }, picture, frame, 1).scale, 0.2)
  })

  test('leaves no gap beside what is larger than the frame', () => {
    assert.deepEqual(held({ x: 50, y: -9999, scale: 1 }, { width: 1000, height: 1000 }, frame), { x: 0, y: -400, scale: 1 })
  })

  test('shows a part of whole pixels, of strips too', () => {
    const picture = { width: 4000, height: 3000 }
    assert.deepEqual(visible({ x: -800, y: -600, scale: 1 }, picture, frame), { x: 800, y: 600, width: 800, height: 600 })
    const wider = visible({ x: -800, y: -600, scale: 1 }, picture, frame, 0.5)
    assert.deepEqual(wider, { x: 400, y: 300, width: 1600, height: 1200 })
    assert.ok(contains(wider, visible({ x: -900, y: -700, scale: 1 }, picture, frame)))
    const strip = { width: 30_000, height: 2 }
    assert.deepEqual(visible(fitted(strip, frame, 1), strip, frame), { x: 0, y: 0, width: 30_000, height: 2 })
  })
})

test.each([
  [1, { x: 10, y: 20, width: 30, height: 40 }],
  [2, { x: 260, y: 20, width: 30, height: 40 }],
  [3, { x: 260, y: 140, width: 30, height: 40 }],
  [4, { x: 10, y: 140, width: 30, height: 40 }],
  [5, { x: 20, y: 10, width: 40, height: 30 }],
  [6, { x: 20, y: 260, width: 40, height: 30 }],
  [7, { x: 140, y: 260, width: 40, height: 30 }],
  [8, { x: 140, y: 10, width: 40, height: 30 }],
])('a part of a picture of 300 x 200 that is turned as %d says is found among its stored pixels', (orientation, part) => {
  assert.deepEqual(storedPart(orientation, { x: 10, y: 20, width: 30, height: 40 }, { width: 300, height: 200 }), part)
})
