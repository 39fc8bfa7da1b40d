import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { parseTransformation, targetOf } from '../../../shared/tools/imaging/transformation.ts'

describe('a transformation', () => {
  for (const [query, expected] of [
    ['', {}],
    ['height=4096', { height: 4096 }],
    ['grayscale=1', { grayscale: true }],
    ['width=320&height=200&grayscale=1&output_format=avif', { width: 320, height: 200, grayscale: true, format: 'avif' }],
  ] as const) {
    it(`is read from "${query}"`, () => assert.deepEqual(parseTransformation(query), expected))
  }

  for (const query of ['width=0', 'width=4097', 'width=01', 'width=1.5', 'width=-1', 'width=1&width=2', 'grayscale=1&width=2', 'x', '&']) {
    it(`is not read from "${query}"`, () => assert.equal(parseTransformation(query), undefined))
  }

  for (const [original, asked, expected] of [
    [[6000, 4000], { width: 320 }, [320, 213]],
    [[6000, 4000], { width: 320, height: 100 }, [150, 100]],
    [[100, 50], { width: 4096, height: 4096 }, [100, 50]],
    [[10_000, 10], { width: 100 }, [100, 1]],
    [[3, 60_000], { height: 1 }, [1, 1]],
  ] as const) {
    it(`of ${original.join(' x ')} to ${JSON.stringify(asked)} has ${expected.join(' x ')} pixels`, () => {
      const { width, height } = targetOf({ width: original[0], height: original[1] }, asked)
      assert.deepEqual([width, height], expected)
    })
  }
})
