import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { Invalid } from '../../../../shared/library/errors.ts'
import { canonicalPath, imageRequest } from '../../../../shared/library/links/iiif/image-request.ts'

const picture = { width: 1_000, height: 600 }
const middle = { x: 0.5, y: 0.5 }

const parsed = (path: string, of = picture, focus = middle) => imageRequest(path, of, focus)
const region = (text: string, focus = middle) => {
  const { x, y, width, height } = parsed(`${text}/max/0/default.jpg`, picture, focus).region
  return [x, y, width, height]
}
const size = (text: string, of = picture, at = 'full') => {
  const { width, height } = parsed(`${at}/${text}/0/default.jpg`, of).size
  return [width, height]
}

function problemsOf(path: string, of = picture): string[] {
  try {
    parsed(path, of)
  } catch (error) {
    assert.ok(error instanceof Invalid, path)
    return error.problems.map((problem) => problem.path)
  }
  return []
}

describe('regions of IIIF', () => {
  test.each([
    ['full', [0, 0, 1_000, 600]],
    ['square', [200, 0, 600, 600]],
    ['0,0,1000,600', [0, 0, 1_000, 600]],
    ['10,20,30,40', [10, 20, 30, 40]],
    ['999,599,1,1', [999, 599, 1, 1]],
    ['900,500,500,500', [900, 500, 100, 100]],
    ['0,0,99999,99999', [0, 0, 1_000, 600]],
    ['pct:0,0,100,100', [0, 0, 1_000, 600]],
    ['pct:41.6,7.5,40,70', [416, 45, 400, 420]],
    ['pct:50,50,200,200', [500, 300, 500, 300]],
    ['pct:10,10,0.001,0.001', [100, 60, 1, 1]],
  ])('%s', (text, expected) => assert.deepEqual(region(text), expected))

  test('a square keeps the focal point in its middle, as far as the picture goes', () => {
    assert.deepEqual(region('square', { x: 0, y: 0 }), [0, 0, 600, 600])
    assert.deepEqual(region('square', { x: 0.6, y: 0.1 }), [300, 0, 600, 600])
    assert.deepEqual(region('square', { x: 1, y: 1 }), [400, 0, 600, 600])
  })

  test.each([
    ...['1000,0,10,10', '0,600,10,10', '0,0,0,10', '0,0,10,0', 'pct:100,0,1,1', 'pct:0,100,1,1', 'pct:0,0,0,1'],
    ...['-1,0,10,10', '0,0,10', '0,0,10,10,10', '0,0,10,', '0, 0,10,10', '1.5,0,10,10', '1e2,0,10,10', '00,0,10,10', '+1,0,10,10'],
    ...['pct:', 'pct:0,0,10', 'pct:-1,0,10,10', 'pct:.5,0,10,10', 'pct:1.,0,10,10', 'pct:1e1,0,10,10', 'pct:NaN,0,10,10'],
    ...['Full', 'FULL', 'squared', 'max', '', ' full', 'smart', '9999999999,0,1,1', 'pixel:0,0,1,1', '٣,0,10,10'],
  ])('%s is refused', (text) => assert.deepEqual(problemsOf(`${text}/max/0/default.jpg`), ['region']))
})

describe('sizes of IIIF', () => {
  test.each([
    ['max', [1_000, 600]],
    ['500,', [500, 300]],
    ['1000,', [1_000, 600]],
    ['1,', [1, 1]],
    [',300', [500, 300]],
    ['100,600', [100, 600]],
    ['!500,500', [500, 300]],
    ['!5000,300', [500, 300]],
    ['!1000,600', [1_000, 600]],
    ['pct:50', [500, 300]],
    ['pct:100', [1_000, 600]],
    ['pct:0.1', [1, 1]],
    ['pct:33.333', [333, 200]],
  ])('%s', (text, expected) => assert.deepEqual(size(text), expected))

  test('are of the region', () => {
    assert.deepEqual(size('max', picture, '900,500,500,500'), [100, 100])
    assert.deepEqual(size('pct:50', picture, '0,0,200,100'), [100, 50])
    assert.deepEqual(problemsOf('0,0,200,100/201,/0/default.jpg'), ['size'])
  })

  test('are lowered where nothing says how large, and refused where it is said', () => {
    const large = { width: 20_000, height: 10_000 }
    assert.deepEqual(size('max', large), [8_192, 4_096])
    assert.deepEqual(size('!9000,9000', large), [8_192, 4_096])
    for (const text of ['9000,', '8193,', 'pct:50', '8193,10', 'pct:100']) {
      assert.deepEqual(problemsOf(`full/${text}/0/default.jpg`, large), ['size'], text)
    }
    assert.deepEqual(size('8192,', large), [8_192, 4_096])
    assert.deepEqual(problemsOf('full/,8193/0/default.jpg', large), ['size'])
  })

  test.each([
    ...['1001,', ',601', '1001,600', '1000,601', 'pct:100.001', 'pct:101', 'pct:200', '!1001,601', '!2000,3000'],
    ...['^max', '^500,', '^,300', '^100,100', '^!100,100', '^pct:50', '^pct:200', '^2000,'],
    ...['0,', ',0', '0,0', '0,10', '10,0', '!0,10', '!10,0', 'pct:0', 'pct:0.01', '-1,', ',-1', '1.5,', '1e2,'],
    ...['', ',', '!', '!,', '!10,', '!,10', '10', '10,10,10', 'pct:', 'pct:-5', 'pct:.5', 'pct:5.', 'pct:1e1', 'pct:fifty', 'full', 'Max'],
    ...['!max', '!!10,10', '010,', '10, 10', '9999999999,', 'w,h', '%31,'],
  ])('%s is refused', (text) => assert.deepEqual(problemsOf(`full/${text}/0/default.jpg`), ['size']))
})

describe('rotations, qualities and formats of IIIF', () => {
  test('are these', () => {
    for (const mirror of ['', '!']) {
      for (const turned of [0, 90, 180, 270]) {
        const request = parsed(`full/max/${mirror}${turned}/default.jpg`)
        assert.deepEqual([request.mirrored, request.turned], [mirror === '!', turned])
      }
    }
    for (const quality of ['default', 'color', 'gray', 'bitonal']) assert.equal(parsed(`full/max/0/${quality}.png`).quality, quality)
    for (const format of ['jpg', 'png', 'webp']) assert.equal(parsed(`full/max/0/default.${format}`).format, format)
  })

  test.each([
    ...['45', '22.5', '360', '-90', '!', '!!0', '0!', '90.0', '00', '', ' 0', '+90', '1e2', '!45', 'left'].map((text) => [
      text,
      'rotation',
      0,
    ]),
    ...['native', 'grey', 'Default', 'colour', '', 'default '].map((text) => [text, 'quality', 1]),
    ...['gif', 'jp2', 'pdf', 'tif', 'avif', 'jpeg', 'JPG', '', 'jpg ', 'jpg.png'].map((text) => [text, 'format', 2]),
  ])('%s is refused as %s', (text, path, place) => {
    const parts = ['0', 'default', 'jpg']
    parts[Number(place)] = String(text)
    assert.deepEqual(problemsOf(`full/max/${parts[0]}/${parts[1]}.${parts[2]}`), [path])
  })

  test('all that is wrong is told at once', () => {
    assert.deepEqual(problemsOf('a/b/c/d.e'), ['region', 'size', 'rotation', 'quality', 'format'])
  })

  test.each([
    '',
    'full',
    'full/max',
    'full/max/0',
    'full/max/0/',
    'full/max/0/default.jpg/',
    'full/max/0/default.jpg/more',
    '/full/max/0/default.jpg',
  ])('the address %s is refused', (path) => assert.ok(problemsOf(path).length > 0))
})

describe('the canonical form of an address', () => {
  test.each([
    ['full/max/0/default.jpg', 'full/max/0/default.jpg'],
    ['0,0,1000,600/1000,/0/color.jpg', 'full/max/0/default.jpg'],
    ['pct:0,0,50,50/pct:50/!90/gray.webp', '0,0,500,300/250,150/!90/gray.webp'],
    ['square/!300,400/180/bitonal.png', '200,0,600,600/300,300/180/bitonal.png'],
    ['900,500,500,500/max/0/default.jpg', '900,500,100,100/max/0/default.jpg'],
  ])('of %s', (path, expected) => {
    const found = canonicalPath(parsed(path), picture)
    assert.equal(found, expected)
    assert.equal(canonicalPath(parsed(found), picture), expected)
  })
})
