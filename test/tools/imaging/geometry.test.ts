import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { describe, it, test } from 'vitest'
import { type Geometry, geometryOf, pixelsOf } from '../../../shared/tools/imaging/geometry.ts'
import type { Dimensions } from '../../../shared/tools/imaging/sizes.ts'
import { parseTransformation, type Transformation } from '../../../shared/tools/imaging/transformation.ts'

const whole = { x: 0, y: 0, width: 1, height: 1 }

/** x, y, width and height in pixels of what is shown. */
function shownOf(original: Dimensions, { region }: Geometry): number[] {
  const { x, y, width, height } = pixelsOf(region ?? whole, original)
  return [x, y, width, height]
}

const of = ([width, height]: readonly [number, number], query: string, focalPoint: { x: number; y: number } | null = null) => {
  const geometry = geometryOf({ width, height }, parseTransformation(query)!, focalPoint)
  return { ...geometry, shown: shownOf({ width, height }, geometry), size: [geometry.target.width, geometry.target.height] }
}

describe('the size of a picture', () => {
  it.for([
    [[6000, 4000], 'width=320', [320, 213]],
    [[6000, 4000], 'width=320&height=100', [150, 100]],
    [[100, 50], 'width=4096&height=4096', [100, 50]],
    [[10_000, 10], 'width=100', [100, 1]],
    [[3, 60_000], 'height=1', [1, 1]],
    [[6000, 4000], 'fit=cover&width=300&height=300', [300, 300]],
    [[100, 50], 'fit=cover&width=300&height=300', [50, 50]],
    [[100, 50], 'fit=cover&width=100&height=51', [98, 50]],
    [[100, 50], 'fit=cover&width=80', [80, 40]],
    [[1000, 667], 'fit=cover&width=500&height=333', [500, 333]],
    [[6000, 4000], 'aspect=1:1&width=1000', [1000, 1000]],
    [[6000, 4000], 'aspect=16:9', [6000, 3375]],
    [[3, 5], 'aspect=1:100', [1, 5]],
    [[3, 5], 'fit=cover&width=1&height=100', [1, 5]],
    [[1, 1], 'crop=0.9999,0,0.0001,0.5', [1, 1]],
    [[100, 50], 'crop=0.5,0,0.5,1', [50, 50]],
    [[100, 50], 'crop=0.5,0,0.5,1&aspect=1:2&height=20', [10, 20]],
    [[100, 50], 'fit=pad&width=40&height=40', [40, 20]],
    [[100, 50], 'fit=pad&width=400&height=400', [100, 50]],
  ] as const)('of %j by %s is %j', ([original, query, expected]) => assert.deepEqual(of(original, query).size, expected))

  test('on a canvas is that of the picture; the canvas has the asked one', () => {
    assert.deepEqual(of([100, 50], 'fit=pad&width=400&height=300').canvas, { width: 400, height: 300 })
    assert.equal(of([100, 50], 'fit=pad&width=400').canvas, undefined)
  })
})

describe('a cut', () => {
  const shape = 'fit=cover&width=10&height=10'
  it.for([
    [[100, 50], shape, [25, 0, 50, 50]],
    [[50, 100], shape, [0, 25, 50, 50]],
    [[100, 50], 'fit=cover&focus=0,0.5&width=10&height=10', [0, 0, 50, 50]],
    [[100, 50], 'fit=cover&focus=1,0&width=10&height=10', [50, 0, 50, 50]],
    [[100, 50], 'fit=cover&focus=0.6,0&width=10&height=10', [35, 0, 50, 50]],
    [[100, 50], 'crop=0.5,0,0.5,1&aspect=1:2', [63, 0, 25, 50]],
    [[100, 50], 'crop=0.5,0,0.5,1&aspect=1:2&focus=0.1,0.5', [50, 0, 25, 50]],
    [[100, 50], 'crop=0.25,0.5,0.5,0.5', [25, 25, 50, 25]],
    [[3, 5], 'crop=0.9999,0.5,0.0001,0.0001', [2, 3, 1, 1]],
  ] as const)('of %j by %s is at %j', ([original, query, expected]) => assert.deepEqual(of(original, query).shown, expected))

  test('keeps what the parameter says, else the focal point, else the middle', () => {
    const focalPoint = { x: 0.9, y: 0.5 }
    assert.deepEqual(of([100, 50], shape, focalPoint).shown, [50, 0, 50, 50])
    assert.deepEqual(of([100, 50], 'fit=cover&focus=center&width=10&height=10', focalPoint).shown, [25, 0, 50, 50])
    assert.deepEqual(of([100, 50], 'fit=cover&focus=0.1,0.5&width=10&height=10', focalPoint).shown, [0, 0, 50, 50])
  })

  test('round what stands out is made where that is known', () => {
    const { keeps, shown, size } = of([100, 50], 'crop=0,0,0.8,1&fit=cover&focus=auto&width=10&height=10', { x: 0.9, y: 0.5 })
    assert.deepEqual([keeps, shown, size], ['attention', [0, 0, 80, 50], [10, 10]])
  })

  test('without a shape is none, and all of a picture is no region', () => {
    assert.equal(of([100, 50], 'width=10', { x: 0, y: 0 }).region, undefined)
    assert.equal(of([100, 50], 'aspect=2:1').region, undefined)
  })
})

const side = fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 30_000 }))
const original = fc.record({ width: side, height: side })
const tenThousandth = fc.integer({ min: 0, max: 10_000 }).map((n) => n / 10_000)
const point = fc.record({ x: tenThousandth, y: tenThousandth })
const span = fc
  .tuple(fc.integer({ min: 0, max: 9_999 }), fc.integer({ min: 1, max: 10_000 }))
  .map(([start, length]) => ({ start: start / 10_000, length: Math.min(length, 10_000 - start) / 10_000 }))
const crop = fc.tuple(span, span).map(([across, down]) => ({ x: across.start, y: down.start, width: across.length, height: down.length }))
const shapes = fc.record({ width: fc.integer({ min: 1, max: 100 }), height: fc.integer({ min: 1, max: 100 }) })
const asked = fc.integer({ min: 1, max: 4_096 })
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const transformations = fc
  .record({
    crop: maybe(crop),
    aspect: maybe(shapes),
    fit: maybe(fc.constantFrom('cover' as const, 'pad' as const)),
    focus: maybe(fc.oneof(point, fc.constant('center' as const))),
    width: maybe(asked),
    height: maybe(asked),
  })
  .map((given) => Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Transformation)

const everywhere = (check: (original: Dimensions, asked: Transformation, focalPoint: { x: number; y: number } | null) => void) =>
  fc.assert(fc.property(original, transformations, fc.option(point), check), { numRuns: 2_000 })

describe('whatever is asked of whatever picture', () => {
  test('what is shown lies within the picture and the crop, and no side is below a pixel', () => {
    everywhere((original, asked, focalPoint) => {
      const geometry = geometryOf(original, asked, focalPoint)
      const [x, y, width, height] = shownOf(original, geometry) as [number, number, number, number]
      const piece = pixelsOf(asked.crop ?? whole, original)
      assert.ok(width >= 1 && height >= 1 && x >= piece.x && y >= piece.y)
      assert.ok(x + width <= piece.x + piece.width && y + height <= piece.y + piece.height)
      const { region = whole } = geometry
      assert.ok(region.x >= 0 && region.y >= 0 && region.x + region.width <= 1 + 1e-9 && region.y + region.height <= 1 + 1e-9)
    })
  })

  test('nothing is enlarged, and nothing is larger than asked', () => {
    everywhere((original, asked, focalPoint) => {
      const geometry = geometryOf(original, asked, focalPoint)
      const [, , width, height] = shownOf(original, geometry)
      const { target } = geometry
      assert.ok(target.width >= 1 && target.height >= 1 && target.width <= width! && target.height <= height!)
      assert.ok(target.width <= (asked.width ?? Number.POSITIVE_INFINITY) && target.height <= (asked.height ?? Number.POSITIVE_INFINITY))
    })
  })

  test('cover is exactly what is asked for where the piece has it, and a cut of that shape touches two opposite sides of the piece', () => {
    everywhere((original, { width = 7, height = 5, ...asked }, focalPoint) => {
      const geometry = geometryOf(original, { ...asked, fit: 'cover', width, height }, focalPoint)
      const piece = pixelsOf(asked.crop ?? whole, original)
      const [, , cutWidth, cutHeight] = shownOf(original, geometry)
      assert.ok(cutWidth === piece.width || cutHeight === piece.height)
      if (piece.width >= width && piece.height >= height) assert.deepEqual(geometry.target, { width, height })
      else assert.deepEqual(geometry.target, { width: cutWidth, height: cutHeight })
    })
  })

  test('a cut is nearest to having the focus in its middle', () => {
    everywhere((original, asked, focalPoint) => {
      const focus = typeof asked.focus === 'object' ? asked.focus : undefined
      if (!asked.aspect || !focus) return
      const { fit: _, ...cutting } = asked
      const piece = pixelsOf(asked.crop ?? whole, original)
      const [x, , width] = shownOf(original, geometryOf(original, cutting, focalPoint)) as [number, number, number, number]
      const awayAt = (start: number) => Math.abs(start + width / 2 - focus.x * original.width)
      for (const other of [x - 1, x + 1]) {
        if (other >= piece.x && other + width <= piece.x + piece.width) assert.ok(awayAt(x) <= awayAt(other) + 1e-6)
      }
    })
  })

  test('a canvas is exactly what is asked for, and holds the picture', () => {
    everywhere((original, { width = 7, height = 5, ...asked }, focalPoint) => {
      const { canvas, target } = geometryOf(original, { ...asked, fit: 'pad', width, height }, focalPoint)
      assert.deepEqual(canvas, { width, height })
      assert.ok(target.width <= width && target.height <= height)
    })
  })
})
