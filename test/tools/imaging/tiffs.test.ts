import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { ToolFailed } from '../../../shared/tools/failure.ts'
import { renderLinkPicture } from '../../support/link-picture.ts'
import { images, labAt, madeTiff, quadrantColours, quadrantGreys, quadrants, type TiffPage } from '../../support/pictures/index.ts'
import { assertClose, assertShowsQuarters, quarters } from '../../support/pictures/quarters.ts'
import { rendering } from '../../support/rendering.ts'

const { render } = await rendering()

/** By the registry of libtiff: LZMA, ZSTD, LERC, JPEG XL, JPEG 2000, JPEG XR, PNG. */
const compressions = { LZMA: 34_925, ZSTD: 50_000, LERC: 34_887, 'JPEG XL': 50_002, 'JPEG 2000': 34_712, 'JPEG XR': 34_934, PNG: 34_933 }

const small: TiffPage = { width: 16, height: 12, subfileType: 1 }

describe('TIFFs', () => {
  for (const [name, compression] of Object.entries(compressions)) {
    it(`that hold ${name} are refused, and not black`, async () => {
      for (const tiled of [false, true]) await assert.rejects(render(madeTiff([{ compression, tiled }])), ToolFailed)
    })
  }

  it('of one colour are shown, in strips and tiles, whatever is behind them', async () => {
    for (const tiled of [false, true]) {
      const { renditions } = await render(madeTiff([{ samples: () => [0, 0, 0], tiled }, {}]))
      assertClose(await quarters(renditions[6]!.path), Array(4).fill([0, 0, 0]), 0)
    }
  })

  it('with integers of 32 bits are refused; grey ones of floating point hold light', async () => {
    await assert.rejects(render(madeTiff([{ kind: 'uint32' }])), ToolFailed)
    const light = (x: number, y: number) => [(greyAt(x, y) / 255) ** 2.2]
    const { renditions } = await render(madeTiff([{ kind: 'float32', photometric: 1, samples: light }]))
    assertClose(
      await quarters(renditions[6]!.path),
      quadrantGreys.map((value) => [value, value, value]),
      4,
    )
  })

  it.for<[what: string, pages: TiffPage[]]>([
    ['first a small copy', [small, {}, { samples: () => [0, 0, 0] }]],
    ['first a mask', [{ ...small, subfileType: 4 }, small, {}]],
    ['a small copy with the picture below it', [{ ...small, subifd: {} }]],
    ['the picture with a small copy below it', [{ subifd: small }]],
    ['small copies alone, the first of them', [{ subfileType: 1 }, small]],
  ])('show the picture of several: %s', async ([, pages]) => {
    for (const big of [false, true]) {
      const rendered = await render(madeTiff(pages, { big }))
      assert.deepEqual([rendered.width, rendered.height], [quadrants.width, quadrants.height])
      await assertShowsQuarters(rendered)
    }
  })

  it('whose pages lead to themselves end', async () => {
    const tiff = madeTiff([small])
    tiff.writeUInt32LE(tiff.readUInt32LE(4), tiff.length - 4)
    assert.equal((await render(tiff)).width, 16)
  })

  const eighth = ([l, a, b]: readonly [number, number, number], offset: number) => [Math.round(l * 2.55), a + offset, b + offset]
  it.for<[what: string, page: TiffPage]>([
    ['CIELab', { photometric: 8, kind: 'int8', samples: (x, y) => signedLab(x, y) }],
    ['CIELab of 16 bits', { photometric: 8, kind: 'int16', samples: (x, y) => deepLab(x, y) }],
    ['ICCLab', { photometric: 9, samples: (x, y) => eighth(labAt(x, y), 128) }],
  ])('in %s are shown in sRGB, also by links', async ([, page]) => {
    for (const tiff of [madeTiff([page]), madeTiff([small, page], { big: true })]) {
      await assertShowsQuarters(await render(tiff))
      const { data } = await renderLinkPicture(tiff, { format: 'png' }, { target: quadrants })
      assertClose(await quarters(Buffer.from(data)), quadrantColours, 8)
    }
  })
})

describe('AVIF of moving pictures', () => {
  it('shows its still one, also by links', async () => {
    const moving = await images['plain.avif']()
    moving.write('avis', 8, 'latin1')
    await assertShowsQuarters(await render(moving))
    const { data } = await renderLinkPicture(moving, { format: 'png' }, { target: quadrants })
    assertClose(await quarters(Buffer.from(data)), quadrantColours, 8)
  })
})

const greyAt = (x: number, y: number): number => quadrantGreys[(y < quadrants.height / 2 ? 0 : 2) + (x < quadrants.width / 2 ? 0 : 1)]!

/** L* from 0 to 255 as a signed byte would have it. */
function signedLab(x: number, y: number): number[] {
  const [l, a, b] = labAt(x, y)
  return [(Math.round(l * 2.55) << 24) >> 24, a, b]
}

function deepLab(x: number, y: number): number[] {
  const [l, a, b] = labAt(x, y)
  return [Math.round(l * 655.35), a * 256, b * 256]
}
