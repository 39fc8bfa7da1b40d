import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { JustifiedLayout } from '../../../../infra/clients/console/app/files/layout.ts'

const ratios = Uint16Array.from({ length: 200 }, (_, index) => [150, 67, 100, 178, 0][index % 5]!)
const shape = { width: 1000, rowHeight: 200, gap: 6 }

describe('rows of pictures', () => {
  test('fill the width, and hold each file once', () => {
    const layout = new JustifiedLayout(ratios, shape)
    const boxes = Array.from({ length: layout.rows }, (_, row) => layout.boxesOf(row))
    assert.deepEqual(
      boxes.flat().map(({ index }) => index),
      [...ratios.keys()],
    )
    for (const row of boxes.slice(0, -1)) assert.equal(row.at(-1)!.left + row.at(-1)!.width, shape.width)
  })

  test('have room below pictures for a caption, which changes no shape', () => {
    const [bare, named] = [new JustifiedLayout(ratios, shape), new JustifiedLayout(ratios, { ...shape, caption: 26 })]
    assert.equal(named.rows, bare.rows)
    assert.equal(named.height, bare.height + 26 * bare.rows)
    for (let row = 0; row < bare.rows; row++) {
      assert.equal(named.heightOf(row), bare.heightOf(row) + 26)
      assert.deepEqual(named.boxesOf(row), bare.boxesOf(row))
    }
    assert.equal(named.rowAt(named.topOf(7) + 1), 7)
  })
})
