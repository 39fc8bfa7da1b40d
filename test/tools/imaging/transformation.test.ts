import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { parseTransformation } from '../../../shared/tools/imaging/transformation.ts'

describe('a transformation', () => {
  for (const [query, expected] of [
    ['', {}],
    ['height=4096', { height: 4096 }],
    ['grayscale=1', { grayscale: true }],
    ['width=320&height=200&grayscale=1&output_format=avif', { width: 320, height: 200, grayscale: true, format: 'avif' }],
    ['crop=0.25,0,0.5,1', { crop: { x: 0.25, y: 0, width: 0.5, height: 1 } }],
    ['crop=0.7,0.1,0.3,0.9', { crop: { x: 0.7, y: 0.1, width: 0.3, height: 0.9 } }],
    ['aspect=16:9&focus=0.5,0.0001', { aspect: { width: 16, height: 9 }, focus: { x: 0.5, y: 0.0001 } }],
    ['fit=cover&focus=auto&width=1&height=2', { fit: 'cover', focus: 'auto', width: 1, height: 2 }],
    ['aspect=100:1&focus=center', { aspect: { width: 100, height: 1 }, focus: 'center' }],
    ['fit=pad&width=30&height=20&background=00ff7f', { fit: 'pad', width: 30, height: 20, background: '00ff7f' }],
    ['width=9&hdr=1&output_format=auto', { width: 9, hdr: true, format: { accepted: [] } }],
    ['output_format=auto&accept=avif,webp', { format: { accepted: ['avif', 'webp'] } }],
    ['output_format=auto&accept=webp', { format: { accepted: ['webp'] } }],
  ] as const) {
    it(`is read from "${query}"`, () => assert.deepEqual(parseTransformation(query), expected))
  }

  for (const query of [
    ...['width=0', 'width=4097', 'width=01', 'width=1.5', 'width=-1', 'width=1&width=2', 'grayscale=1&width=2', 'x', '&', 'width=1&'],
    ...['crop=0.10,0,0.5,1', 'crop=0,0,0,1', 'crop=0.6,0,0.5,1', 'crop=0,0,0.5', 'crop=0,0,2,1', 'crop=.5,0,0.5,1', 'crop=0.12345,0,0.5,1'],
    ...[
      'aspect=0:1',
      'aspect=101:1',
      'aspect=1',
      'fit=inside',
      'focus=middle',
      'focus=0.5',
      'focus=1.1,0',
      'background=FFFFFF',
      'background=fff',
    ],
    ...['hdr=0', 'output_format=gif', 'output_format=webp&accept=avif', 'accept=webp', 'output_format=auto&accept=', 'preset=teaser'],
  ]) {
    it(`is not read from "${query}"`, () => assert.equal(parseTransformation(query), undefined))
  }
})
