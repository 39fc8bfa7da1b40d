import assert from 'node:assert/strict'
import sharp from 'sharp'
import { describe, it } from 'vitest'
import { renderLinkPicture } from '../../support/link-picture.ts'
import {
  avifWith,
  bitmap5,
  chrm,
  cicp,
  codes,
  gama,
  heicWith,
  images,
  pngWith,
  quadrantColours,
  quadrantImage,
} from '../../support/pictures/index.ts'
import { chunk } from '../../support/pictures/png-chunk.ts'
import { assertClose, assertShowsQuarters, quarters } from '../../support/pictures/quarters.ts'
import { rendering } from '../../support/rendering.ts'

const { render } = await rendering()

type Colours = readonly (readonly number[])[]

/** What Chromium 156 draws on a canvas of the quarters' numbers: told to be in Display P3, of linear light, in Adobe RGB. */
const inP3: Colours = [
  [240, 0, 0],
  [0, 204, 0],
  [27, 40, 229],
  [244, 219, 0],
]
const withGamma1: Colours = [
  [239, 96, 96],
  [96, 229, 110],
  [96, 110, 239],
  [248, 239, 110],
]
const inAdobeRgb: Colours = [
  [255, 24, 24],
  [0, 201, 0],
  [18, 35, 225],
  [248, 221, 0],
]

const [p3Points, adobePoints] = [
  [0.3127, 0.329, 0.68, 0.32, 0.265, 0.69, 0.15, 0.06],
  [0.3127, 0.329, 0.64, 0.33, 0.21, 0.71, 0.15, 0.06],
]

/** CIE XYZ of red, green and blue of Adobe RGB (1998), D65. */
const adobeXyz = [0.57667, 0.29734, 0.02703, 0.18556, 0.62736, 0.07069, 0.18823, 0.07529, 0.99134]

const grey = (value: number) => sharp({ create: { width: 64, height: 48, channels: 3, background: { r: value, g: value, b: value } } })
const greyPng = async (value: number, told: readonly [9, 16] | readonly [9, 18]) => {
  const png = await grey(value).png().toBuffer()
  return Buffer.concat([png.subarray(0, 33), cicp(told), png.subarray(33)])
}

describe('colours that a picture tells by numbers', () => {
  it.for<[what: string, source: () => Buffer | Promise<Buffer>, expected: Colours]>([
    ['AVIF in Display P3', () => avifWith(codes.p3), quadrantColours],
    ['AVIF in Display P3 with the curve of video, which browsers show as sRGB', () => avifWith(codes.p3WithVideo), quadrantColours],
    ['PNG in Display P3', () => pngWith(cicp(codes.p3)), inP3],
    ['PNG of linear light, by gAMA', () => pngWith(gama(1)), withGamma1],
    ['PNG in Adobe RGB, by gAMA and cHRM', () => pngWith(gama(1 / 2.2), chrm(...adobePoints!)), inAdobeRgb],
    ['PNG whose cICP counts before its profile', async () => pngWith(cicp(codes.p3), await srgbProfile()), inP3],
    ['PNG whose sRGB counts before its gAMA', () => pngWith(chunk('sRGB', Buffer.of(0)), gama(1)), quadrantColours],
    ['PNG whose profile counts before its gAMA', async () => pngWith(gama(1), await srgbProfile()), quadrantColours],
    ['PNG with nothing but the gAMA of sRGB', () => pngWith(gama(0.45455)), quadrantColours],
    ['PNG with nothing but cHRM', () => pngWith(chrm(...p3Points!)), quadrantColours],
    ['PNG whose primaries span nothing', () => pngWith(gama(0.45455), chrm(0.3, 0.3, 0, 0, 0, 0, 0, 0)), quadrantColours],
    ['bitmap with a profile', async () => bitmap5({ profile: await displayP3() }), inP3],
    ['bitmap in Adobe RGB, by endpoints and gamma', () => bitmap5({ calibrated: { xyz: adobeXyz, gamma: 2.2 } }), inAdobeRgb],
    ['bitmap whose numbers are zeros', () => bitmap5({ calibrated: { xyz: [0], gamma: 0 } }), quadrantColours],
  ])('are those of %s', async ([, source, expected]) => {
    const { renditions } = await render(await source())
    assertClose(await quarters(renditions[6]!.path), expected, 4)
  })

  it('are those of HEIC, which libvips doesn’t decode', async () => assertShowsQuarters(await render(heicWith(codes.p3))))

  // By the formulas of BT.2100 and of ffmpeg's `tonemap`. The first of each is HDR's reference white. ffmpeg itself makes 226 of it in films of PQ,
  // of the second 160, by BT.1886's gamma in the place of sRGB's curve.
  it.for([
    [148, [9, 16], 225],
    [119, [9, 16], 154],
    [255, [9, 16], 255],
    [191, [9, 18], 226],
    [119, [9, 18], 127],
  ] as const)('are those of films where they are HDR: %j', async ([value, told, expected]) => {
    const { renditions } = await render(greyPng(value, told))
    assertClose(await quarters(renditions[6]!.path), Array(4).fill([expected, expected, expected]), 3)
  })

  it('are converted in 16 bits, with transparency and in grey', async () => {
    const deep = await images['deep-alpha.png']()
    const { renditions } = await render(Buffer.concat([deep.subarray(0, 33), gama(1), deep.subarray(33)]))
    assertClose(
      await quarters(renditions[6]!.path),
      withGamma1.map((colour) => [...colour, 128]),
      4,
    )
    const png = await quadrantImage().toColourspace('b-w').png().toBuffer()
    const stored = (await quarters(png)).map(([value]) => value!)
    const shown = await render(Buffer.concat([png.subarray(0, 33), gama(1), png.subarray(33)]))
    const light = (value: number) => Math.round(255 * (1.055 * (value / 255) ** (1 / 2.4) - 0.055))
    assertClose(
      await quarters(shown.renditions[6]!.path),
      stored.map((value) => Array(3).fill(light(value))),
      3,
    )
  })

  it('are those of a link’s picture, and of one in grey', async () => {
    const { data } = await renderLinkPicture(avifWith(codes.p3), { format: 'png' })
    assertClose(await quarters(Buffer.from(data)), quadrantColours, 4)
    const shown = await renderLinkPicture(pngWith(gama(1)), { grayscale: true })
    const plain = await renderLinkPicture(pngWith(), { grayscale: true })
    assert.ok((await shown.at(0.25, 0.25))[0]! > (await plain.at(0.25, 0.25))[0]! + 20)
  })
})

async function displayP3(): Promise<Buffer> {
  return (await sharp(await images['display-p3.jpg']()).metadata()).icc!
}

/** The chunk of a profile of sRGB. */
async function srgbProfile(): Promise<Buffer> {
  const png = await quadrantImage().withIccProfile('srgb').png().toBuffer()
  const at = png.indexOf('iCCP') - 4
  return png.subarray(at, at + 12 + png.readUInt32BE(at))
}
