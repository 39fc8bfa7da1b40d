import assert from 'node:assert/strict'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { beforeAll, describe, it } from 'vitest'
import { createLinkRenderer } from '../../../shared/tools/imaging/link-picture.ts'
import { createMasterMaker, type LinkSources } from '../../../shared/tools/imaging/master.ts'
import { isServedByPyramid } from '../../../shared/tools/imaging/pyramid.ts'
import type { Dimensions } from '../../../shared/tools/imaging/sizes.ts'
import { temporaryExifTool } from '../../support/exiftool.ts'
import { save } from '../../support/pictures/index.ts'
import { assertClose } from '../../support/pictures/quarters.ts'

const { exiftool, directory } = await temporaryExifTool()

/** No power of two divides it. */
const size = { width: 4_117, height: 3_041 }

/** Brightness by the place: across in red, down in green. */
function gradient(): Sharp {
  const pixels = Buffer.alloc(size.width * size.height * 3, 90)
  for (let y = 0, at = 0; y < size.height; y++) {
    for (let x = 0; x < size.width; x++, at += 3) {
      pixels[at] = (x * 255) / size.width
      pixels[at + 1] = (y * 255) / size.height
    }
  }
  return sharp(pixels, { raw: { ...size, channels: 3 } })
}

const render = createLinkRenderer()

async function make(bytes: Buffer): Promise<{ path: string; sources: LinkSources }> {
  const into = await mkdtemp(join(directory, 'pyramid-'))
  const path = await save(into, 'source', bytes)
  const mime = `image/${(await sharp(bytes).metadata()).format}`
  return { path, sources: await createMasterMaker(exiftool)(path, mime, into) }
}

const levels = async (path: string) => {
  const pages = (await sharp(path).metadata()).pages ?? 1
  return Promise.all(Array.from({ length: pages }, async (_, page) => (await sharp(path, { page }).metadata()).width))
}

describe('the pyramid of a large picture', () => {
  let made: Awaited<ReturnType<typeof make>>
  beforeAll(async () => {
    made = await make(await gradient().jpeg({ quality: 95 }).toBuffer())
  })

  it('has levels of half the size down to a tile', async () => {
    assert.equal(made.sources.pyramid!.mime, 'image/tiff')
    assert.deepEqual(await levels(made.sources.pyramid!.path), [4_117, 2_058, 1_029, 514, 257])
    const { hasAlpha } = await sharp(made.sources.pyramid!.path).metadata()
    assert.equal(hasAlpha, false)
  })

  it('gives tiles the pixels that the original gives them', async () => {
    for (const [factor, column, row] of [
      [1, 3, 2],
      [2, 1, 1],
      [4, 1, 1],
      [8, 0, 0],
    ] as const) {
      const [x, y] = [column * 512 * factor, row * 512 * factor]
      const [width, height] = [Math.min(512 * factor, size.width - x), Math.min(512 * factor, size.height - y)]
      const target = { width: Math.ceil(width / factor), height: Math.ceil(height / factor) }
      const region = { x: x / size.width, y: y / size.height, width: width / size.width, height: height / size.height }
      const wanted = { mime: 'image/png', region, target, transparent: false, labels: { copyright: null, digitalSourceType: null } }
      const tile = await render(made.sources.pyramid!.path, { ...wanted, isPyramid: true })
      const same = await render(made.path, wanted)
      const middles = await Promise.all(
        [tile, same].map(async ({ data }) => {
          const { width, height } = await sharp(data).metadata()
          assert.deepEqual({ width, height }, target)
          const corners = [
            { left: 2, top: 2 },
            { left: width - 10, top: 2 },
            { left: 2, top: height - 10 },
            { left: width - 10, top: height - 10 },
          ]
          return Promise.all(
            corners.map(async (corner) =>
              (
                await sharp(data)
                  .extract({ ...corner, width: 8, height: 8 })
                  .stats()
              ).channels.map(({ mean }) => mean),
            ),
          )
        }),
      )
      assertClose(middles[0]!, middles[1]!, 2)
    }
  })

  it('is without loss where anything shows through', async () => {
    const { sources } = await make(await gradient().ensureAlpha(0.5).png({ compressionLevel: 1 }).toBuffer())
    const { hasAlpha } = await sharp(sources.pyramid!.path).metadata()
    assert.equal(hasAlpha, true)
    const [, , , alpha] = (await sharp(sources.pyramid!.path, { page: 2 }).stats()).channels
    assert.deepEqual([alpha!.min, alpha!.max], [127, 127])
  })

  it('is upright', async () => {
    const { sources } = await make(await sharp(made.path).withMetadata({ orientation: 6 }).toBuffer())
    assert.equal((await sharp(sources.pyramid!.path).metadata()).width, size.height)
  })
})

describe('what a pyramid serves', () => {
  const large = { width: 10_000, height: 8_000 }
  const part = (x: number, width: number) => ({ x, y: x, width, height: width })
  it.for<[string, Dimensions, Parameters<typeof isServedByPyramid>[1], boolean]>([
    ['a tile of the full size', large, { region: part(0.5, 0.0512), target: { width: 512, height: 410 } }, true],
    ['a tile of an eighth of it', large, { region: part(0, 0.4096), target: { width: 512, height: 410 } }, true],
    ['all of it, a quarter as large', large, { target: { width: 2_500, height: 2_000 } }, true],
    ['all of it, hardly smaller', large, { target: { width: 6_000, height: 4_800 } }, false],
    ['most of it in its full size', large, { region: part(0.1, 0.9), target: { width: 9_000, height: 7_200 } }, false],
    ['a part of a small picture', { width: 4_000, height: 3_000 }, { region: part(0, 0.1), target: { width: 400, height: 300 } }, false],
  ])('%s', ([, original, geometry, expected]) => assert.equal(isServedByPyramid(original, geometry), expected))
})
