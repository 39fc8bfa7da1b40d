import assert from 'node:assert/strict'
import { stat } from 'node:fs/promises'
import sharp from 'sharp'
import { describe, it } from 'vitest'
import {
  images,
  orientedJpeg,
  printedColours,
  quadrantColours,
  quadrantGreys,
  quadrantImage,
  quadrants,
} from '../../support/pictures/index.ts'
import { assertClose, assertShowsQuarters, quarters } from '../../support/pictures/quarters.ts'
import { rendering } from '../../support/rendering.ts'

const { render } = await rendering()

describe('rendering', () => {
  it('makes seven sizes by the longest side, from the dimensions of the original', async () => {
    const rendered = await render(quadrantImage({ width: 3_001, height: 1_999 }).jpeg().toBuffer())
    assert.deepEqual([rendered.width, rendered.height], [3_001, 1_999])
    assert.deepEqual(
      rendered.renditions.map(({ size, width, height }) => [size, width, height]),
      [
        ['110px', 110, 73],
        ['200px', 200, 133],
        ['320px', 320, 213],
        ['480px', 480, 320],
        ['800px', 800, 533],
        ['1200px', 1_200, 799],
        ['1600px', 1_600, 1_066],
      ],
    )
    for (const { path, width, height, mime, bytes } of rendered.renditions) {
      const header = await sharp(path).metadata()
      assert.deepEqual([header.format, header.width, header.height], ['jpeg', width, height])
      assert.deepEqual([mime, bytes], ['image/jpeg', (await stat(path)).size])
    }
    await assertShowsQuarters(rendered)
  })

  it('never enlarges: sizes past the original are the original, in one file', async () => {
    const { renditions } = await render(quadrantImage({ width: 150, height: 300 }).png().toBuffer())
    assert.deepEqual(
      renditions.map(({ width, height }) => `${width}x${height}`),
      ['55x110', '100x200', '150x300', '150x300', '150x300', '150x300', '150x300'],
    )
    assert.equal(new Set(renditions.map(({ path }) => path)).size, 3)
  })

  for (const orientation of [1, 2, 3, 4, 5, 6, 7, 8]) {
    it(`turns a picture of orientation ${orientation} upright`, async () => {
      const rendered = await render(orientedJpeg(orientation))
      assert.deepEqual([rendered.width, rendered.height], [quadrants.width, quadrants.height])
      await assertShowsQuarters(rendered)
      assert.equal((await sharp(rendered.renditions[0]!.path).metadata()).orientation, undefined)
    })
  }

  for (const name of [
    'interlaced.png',
    'palette.png',
    'deep.png',
    'opaque-alpha.png',
    'plain.tif',
    'plain.avif',
    'animated.webp',
  ] as const) {
    it(`shows ${name} as it is, an animation by its first frame`, async () => {
      const rendered = await render(images[name]())
      assert.deepEqual([rendered.width, rendered.height], [quadrants.width, quadrants.height])
      assert.equal(rendered.renditions[0]!.mime, 'image/jpeg')
      await assertShowsQuarters(rendered)
    })
  }

  it('converts Display P3 to sRGB', async () => {
    const source = images['display-p3.jpg']()
    const stored = await sharp(await source, { ignoreIcc: true })
      .raw()
      .toBuffer()
    assert.ok(Math.abs(stored[0]! - quadrantColours[0][0]) > 10, 'the stored numbers differ from those of sRGB')
    await assertShowsQuarters(await render(source))
  })

  it('converts CMYK to sRGB, with a profile or without', async () => {
    for (const name of ['cmyk.jpg', 'cmyk-without-profile.jpg'] as const) {
      const { renditions } = await render(images[name]())
      assertClose(await quarters(renditions[6]!.path), printedColours, 12)
    }
  })

  it('keeps grey pictures grey', async () => {
    const greys = quadrantGreys.map((value) => [value, value, value])
    for (const name of ['grey.jpg', 'deep-grey.png'] as const) {
      const { renditions } = await render(images[name]())
      for (const { path } of renditions) assertClose(await quarters(path), greys, 3)
    }
  })

  for (const name of ['alpha.png', 'deep-alpha.png', 'alpha.webp'] as const) {
    it(`keeps the transparency of ${name}`, async () => {
      const { renditions } = await render(images[name]())
      for (const { path, mime } of renditions) {
        assert.equal(mime, 'image/png')
        assertClose(
          await quarters(path),
          quadrantColours.map((colour) => [...colour, 128]),
          3,
        )
      }
    })
  }

  it('renders one pixel, and pictures a thousand times as long as wide', async () => {
    assert.equal((await render(images['one-pixel.png']())).renditions[6]!.width, 1)
    const tall = await render(images['tall.png']())
    assert.deepEqual([tall.width, tall.height], [1, 20_000])
    assert.deepEqual([tall.renditions[0]!.width, tall.renditions[0]!.height], [1, 110])
    const wide = await render(images['wide.jpg']())
    assert.deepEqual([wide.renditions[6]!.width, wide.renditions[6]!.height], [1_600, 1])
  })
})
