import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { imageRequest } from '../../../../shared/library/links/iiif/image-request.ts'
import { imageInformation } from '../../../../shared/library/links/iiif/information.ts'

interface Information {
  [name: string]: unknown
  width: number
  height: number
  sizes: { width: number; height: number }[]
  tiles: { width: number; scaleFactors: number[] }[]
}

const id = 'https://links.example/iiif/3/acme/0123'
const read = (width: number, height: number): Information =>
  JSON.parse(Buffer.from(imageInformation(id, { width, height }).data).toString())

describe('info.json', () => {
  test('says what level 2 wants, and what else is served', () => {
    const { sizes, tiles, ...information } = read(2_000, 1_000)
    assert.deepEqual(information, {
      '@context': 'http://iiif.io/api/image/3/context.json',
      id,
      type: 'ImageService3',
      protocol: 'http://iiif.io/api/image',
      profile: 'level2',
      width: 2_000,
      height: 1_000,
      maxWidth: 8_192,
      extraFormats: ['webp'],
      extraQualities: ['color', 'gray', 'bitonal'],
      extraFeatures: ['canonicalLinkHeader', 'mirroring', 'profileLinkHeader'],
    })
    assert.deepEqual(tiles, [{ width: 512, scaleFactors: [1, 2, 4] }])
    assert.deepEqual(sizes, [
      { width: 500, height: 250 },
      { width: 1_000, height: 500 },
      { width: 2_000, height: 1_000 },
    ])
    assert.equal(
      imageInformation(id, { width: 1, height: 1 }).mime,
      'application/ld+json;profile="http://iiif.io/api/image/3/context.json"',
    )
  })

  test.each([
    [1, 1],
    [512, 512],
    [513, 1],
    [1, 16_383],
    [11_649, 8_737],
    [16_383, 16_383],
  ])('of %d x %d names sizes and tiles that are served', (width, height) => {
    const { sizes, tiles } = read(width, height)
    const [{ width: side, scaleFactors } = { width: 0, scaleFactors: [] }] = tiles
    const asks = (region: string, size: { width: number; height: number }) =>
      imageRequest(`${region}/${size.width},${size.height}/0/default.jpg`, { width, height }, { x: 0.5, y: 0.5 })
    for (const size of sizes) asks('full', size)
    assert.ok(sizes.length > 0)
    for (const factor of scaleFactors) {
      const [across, down] = [Math.ceil(width / factor), Math.ceil(height / factor)]
      // As viewers do: the last tile of a row and of a column is what is left.
      for (const column of [0, Math.floor((across - 1) / side)]) {
        for (const row of [0, Math.floor((down - 1) / side)]) {
          const [left, top] = [column * side * factor, row * side * factor]
          const region = [left, top, Math.min(side * factor, width - left), Math.min(side * factor, height - top)]
          asks(region.join(','), { width: Math.min(side, across - column * side), height: Math.min(side, down - row * side) })
        }
      }
    }
    const most = scaleFactors.at(-1)!
    assert.ok(Math.max(width, height) / most <= side && (most === 1 || Math.max(width, height) / most > side / 2))
  })
})
