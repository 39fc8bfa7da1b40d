import assert from 'node:assert/strict'
import sharp from 'sharp'
import { describe, it } from 'vitest'
import { bmp, dng, heic, images, psd, psds, quadrantColours, quadrantGreys, quadrants } from '../../support/pictures/index.ts'
import { assertClose, assertShowsQuarters, quarters } from '../../support/pictures/quarters.ts'
import { rendering } from '../../support/rendering.ts'

const { render } = await rendering()

describe('rendering formats that libvips lacks', () => {
  for (const name of [
    ...(['rgb.psd', 'rgb-raw.psd', 'rgb-16.psd', 'large.psb', 'extra-channel.psd', 'indexed.psd'] as const),
    ...(['lab.psd', 'lab-16.psd', 'rgb-32.psd', 'rgb-32-packed.psd'] as const),
  ]) {
    it(`shows the flattened picture of ${name}`, async () => assertShowsQuarters(await render(Promise.resolve(psds[name]()))))
  }

  it("keeps a Photoshop picture's transparency", async () => {
    const { renditions } = await render(psds['transparent.psd']())
    assertClose(
      await quarters(renditions[6]!.path),
      quadrantColours.map((colour) => [...colour, 128]),
      3,
    )
  })

  it('shows grey and CMYK Photoshop pictures', async () => {
    for (const name of ['grey.psd', 'grey-32.psd'] as const) {
      const grey = await render(psds[name]())
      assertClose(
        await quarters(grey.renditions[6]!.path),
        quadrantGreys.map((value) => [value, value, value]),
        4,
      )
    }
    const [cyan, yellow] = [
      [0, 158, 224],
      [255, 237, 0],
    ]
    for (const name of ['cmyk.psd', 'cmyk-raw.psd'] as const) {
      const { renditions } = await render(psds[name]())
      assertClose(await quarters(renditions[6]!.path), [cyan!, yellow!, cyan!, yellow!], 12)
    }
  })

  for (const bits of [8, 16, 24, 32] as const) {
    it(`shows bitmaps of ${bits} bits`, async () => assertShowsQuarters(await render(bmp(bits)), 12))
  }

  it('shows bitmaps stored from the top down', async () => assertShowsQuarters(await render(bmp(24, { topDown: true }))))

  it("converts a Photoshop picture's colours by its profile", async () => {
    const p3 = await images['display-p3.jpg']()
    const { icc } = await sharp(p3).metadata()
    const { data, info } = await sharp(p3, { ignoreIcc: true }).raw().toBuffer({ resolveWithObject: true })
    const planes = [0, 1, 2].map((channel) => (x: number, y: number) => data[(y * info.width + x) * 3 + channel]!)
    await assertShowsQuarters(await render(psd({ mode: 3, planes, profile: icc! })))
  })

  it('shows HEIC, in sRGB', async () => {
    const rendered = await render(heic())
    assert.deepEqual([rendered.width, rendered.height], [quadrants.width, quadrants.height])
    await assertShowsQuarters(rendered)
  })

  it('shows the preview of a raw photo, turned as the raw photo says', async () => {
    const rendered = await render(dng(await images['plain.jpg'](), 6))
    assert.deepEqual([rendered.width, rendered.height], [quadrants.height, quadrants.width])
    const [upperLeft, upperRight, lowerLeft, lowerRight] = quadrantColours
    assertClose(await quarters(rendered.renditions[6]!.path), [lowerLeft, upperLeft, lowerRight, upperRight], 8)
  })
})
