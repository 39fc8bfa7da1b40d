import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { type TiffLayout, tiffHeader } from '../../../shared/tools/imaging/tiff.ts'
import { linkPictures } from '../../support/link-picture.ts'
import { u16, u32 } from '../../support/pictures/bytes.ts'
import { assertClose } from '../../support/pictures/quarters.ts'

type Triple = readonly [number, number, number]

/** An RGB colour space: the XYZ of its primaries, adapted to D50, by column, and its curve. */
interface ColourSpace {
  red: Triple
  green: Triple
  blue: Triple
  curve: Buffer
  toLinear(value: number): number
}

const srgbToLinear = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
const srgbFromLinear = (value: number) => (value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055)

const srgb: Pick<ColourSpace, 'red' | 'green' | 'blue'> = {
  red: [0.43607, 0.22249, 0.01392],
  green: [0.38515, 0.71687, 0.09708],
  blue: [0.14307, 0.06061, 0.7141],
}

const adobeGamma = 563 / 256

const colourSpaces = {
  adobeRgb: {
    red: [0.60974, 0.31111, 0.01947],
    green: [0.20528, 0.62567, 0.06087],
    blue: [0.14919, 0.06322, 0.74457],
    curve: element('curv', u32(1), u16(563), u16(0)),
    toLinear: (value) => value ** adobeGamma,
  },
  displayP3: {
    red: [0.51512, 0.2412, -0.00105],
    green: [0.29198, 0.69225, 0.04189],
    blue: [0.1571, 0.06657, 0.78407],
    curve: element('para', u16(3), u16(0), ...[2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045].map(fixed)),
    toLinear: srgbToLinear,
  },
} satisfies { [name: string]: ColourSpace }

/** The profile of an RGB colour space. */
function rgbProfile({ red, green, blue, curve }: ColourSpace): Buffer {
  const xyz = (colour: Triple) => element('XYZ ', ...colour.map(fixed))
  return profile('RGB ', 'XYZ ', 'mntr', [
    ['rXYZ', xyz(red)],
    ['gXYZ', xyz(green)],
    ['bXYZ', xyz(blue)],
    ['rTRC', curve],
    ['gTRC', curve],
    ['bTRC', curve],
  ])
}

/** The 8-bit sRGB colour of an 8-bit colour of the space, which sRGB has, too. */
function toSrgb(colour: readonly number[], space: ColourSpace): number[] {
  const linear = colour.map((value) => space.toLinear(value / 255))
  const xyz = [0, 1, 2].map((row) => space.red[row]! * linear[0]! + space.green[row]! * linear[1]! + space.blue[row]! * linear[2]!)
  return srgbOf(xyz)
}

/** The 8-bit sRGB colour of a CIE L*a*b* colour under D50. */
function labToSrgb([lightness, a, b]: Triple): number[] {
  const y = (lightness + 16) / 116
  const cubed = (value: number) => (value > 6 / 29 ? value ** 3 : 3 * (6 / 29) ** 2 * (value - 4 / 29))
  return srgbOf([0.9642 * cubed(y + a / 500), cubed(y), 0.8249 * cubed(y - b / 200)])
}

function srgbOf(xyz: readonly number[]): number[] {
  return solve(srgb, xyz).map((value) => Math.round(255 * srgbFromLinear(Math.min(1, Math.max(0, value)))))
}

/** Cramer's rule. */
function solve({ red, green, blue }: Pick<ColourSpace, 'red' | 'green' | 'blue'>, xyz: readonly number[]): number[] {
  const whole = determinant(red, green, blue)
  return [determinant(xyz, green, blue) / whole, determinant(red, xyz, blue) / whole, determinant(red, green, xyz) / whole]
}

function determinant(a: readonly number[], b: readonly number[], c: readonly number[]): number {
  const [a0, a1, a2] = a as Triple
  const [b0, b1, b2] = b as Triple
  const [c0, c1, c2] = c as Triple
  return a0 * (b1 * c2 - b2 * c1) - b0 * (a1 * c2 - a2 * c1) + c0 * (a1 * b2 - a2 * b1)
}

/**
 * The profile of a press, on which each of the 16 ways to print inks fully or not has a colour of its own.
 * @param labOf L (0 to 100), a and b of it; inks are 0 or 1
 */
function pressProfile(labOf: (cyan: number, magenta: number, yellow: number, black: number) => Triple): Buffer {
  const straight = Buffer.from(Array.from({ length: 256 }, (_, value) => value))
  const corners = Array.from({ length: 16 }, (_, inks) => labOf((inks >> 3) & 1, (inks >> 2) & 1, (inks >> 1) & 1, inks & 1))
  const table = element(
    'mft1',
    Buffer.from([4, 3, 2, 0]),
    ...[1, 0, 0, 0, 1, 0, 0, 0, 1].map(fixed),
    ...Array(4).fill(straight),
    Buffer.from(corners.flatMap(([lightness, a, b]) => [Math.round(lightness * 2.55), Math.round(a) + 128, Math.round(b) + 128])),
    ...Array(3).fill(straight),
  )
  return profile('CMYK', 'Lab ', 'prtr', [['A2B0', table]])
}

function profile(space: string, connection: string, kind: string, tags: readonly (readonly [string, Buffer])[]): Buffer {
  const all = [...tags, ['wtpt', element('XYZ ', ...[0.9642, 1, 0.8249].map(fixed))] as const]
  const header = Buffer.alloc(128)
  header.writeUInt32BE(0x02400000, 8)
  header.write(`${kind}${space}${connection}`, 12, 'latin1')
  header.write('acsp', 36, 'latin1')
  Buffer.concat([0.9642, 1, 0.8249].map(fixed)).copy(header, 68)
  let at = 128 + 4 + all.length * 12
  const table = all.map(([name, data]) => {
    const entry = Buffer.concat([Buffer.from(name, 'latin1'), u32(at), u32(data.length)])
    at += data.length
    return entry
  })
  header.writeUInt32BE(at, 0)
  return Buffer.concat([header, u32(all.length), ...table, ...all.map(([, data]) => data)])
}

/** Data of a tag, padded to whole words. */
function element(type: string, ...parts: Buffer[]): Buffer {
  const data = Buffer.concat([Buffer.from(type, 'latin1'), u32(0), ...parts])
  return Buffer.concat([data, Buffer.alloc((4 - (data.length % 4)) % 4)])
}

/** s15Fixed16Number */
function fixed(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(Math.round(value * 65_536))
  return bytes
}

const { render } = linkPictures()

const side = 16

type Numbers = Pick<TiffLayout, 'colour' | 'bits' | 'samples' | 'profile'>

/** A TIFF file of one colour after the other, in rows, whose numbers mean what the profile says. */
function patches(colours: readonly (readonly number[])[], { bits, ...layout }: Numbers): Buffer {
  const row = (colour: readonly number[]) => Buffer.from(Array(side).fill(colour).flat())
  const deep = (bytes: Buffer) => Buffer.from([...bytes].flatMap((byte) => [byte, byte]))
  const rows = colours.flatMap((colour) => Array(side).fill(bits === 16 ? deep(row(colour)) : row(colour)))
  const size = { width: side, height: rows.length, bits, compression: 'none', planar: false } as const
  return Buffer.concat([tiffHeader({ ...size, ...layout, stripBytes: rows.map(({ length }) => length) }), ...rows])
}

async function shownAs(colours: readonly (readonly number[])[], numbers: Numbers): Promise<number[][]> {
  const picture = await render(patches(colours, numbers), { format: 'png' })
  assert.deepEqual([picture.header.icc, picture.header.depth], [undefined, 'uchar'])
  return Promise.all(colours.map((_, index) => picture.at(0.5, (index + 0.5) / colours.length)))
}

/** Of a gamut that all RGB spaces here have. */
const colours = [
  [255, 255, 255],
  [128, 128, 128],
  [180, 60, 60],
  [90, 150, 80],
  [60, 70, 160],
  [200, 190, 90],
]

describe('the colours of a link’s picture', () => {
  for (const [name, space] of Object.entries(colourSpaces)) {
    for (const bits of [8, 16]) {
      it(`are those of ${name} with ${bits} bits, in sRGB`, async () => {
        const expected = colours.map((colour) => toSrgb(colour, space))
        assert.notDeepEqual(expected, colours)
        const shown = await shownAs(colours, { colour: 'rgb', samples: 3, bits, profile: rgbProfile(space) })
        assertClose(shown, expected, 2)
      })
    }
  }

  it('are the numbers themselves without a profile, with 16 bits too', async () => {
    for (const bits of [8, 16]) assertClose(await shownAs(colours, { colour: 'rgb', samples: 3, bits }), colours, 1)
  })

  it('are those that a press prints, of CMYK with its profile', async () => {
    // A press that prints bare paper white, cyan like sky, magenta like fuchsia, yellow like straw, and all else black.
    const noLight = [0, 0, 0] as const
    const labs: { [inks: string]: readonly [number, number, number] } = {
      0: [100, 0, 0],
      8: [60, -10, -40],
      4: [50, 60, 0],
      2: [80, 0, 50],
    }
    const profile = pressProfile((cyan, magenta, yellow, black) => labs[(cyan << 3) | (magenta << 2) | (yellow << 1) | black] ?? noLight)
    const inks = [
      [0, 0, 0, 0],
      [255, 0, 0, 0],
      [0, 255, 0, 0],
      [0, 0, 255, 0],
      [0, 0, 0, 255],
    ]
    const expected = [labs[0]!, labs[8]!, labs[4]!, labs[2]!, noLight].map(labToSrgb)
    assertClose(await shownAs(inks, { colour: 'cmyk', samples: 4, bits: 8, profile }), expected, 4)
  })

  it('are those of print in general, of CMYK without a profile', async () => {
    const [paper, cyan, black] = await shownAs(
      [
        [0, 0, 0, 0],
        [255, 0, 0, 0],
        [0, 0, 0, 255],
      ],
      { colour: 'cmyk', samples: 4, bits: 8 },
    )
    assertClose([paper!], [[255, 255, 255]], 3)
    assertClose([cyan!], [[0, 160, 225]], 25)
    assertClose([black!], [[30, 30, 30]], 35)
  })
})
