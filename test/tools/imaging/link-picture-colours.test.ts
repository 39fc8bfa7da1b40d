import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { type TiffLayout, tiffHeader } from '../../../shared/tools/imaging/tiff.ts'
import { linkPictures } from '../../support/link-picture.ts'
import { colourSpaces, labToSrgb, pressProfile, rgbProfile, toSrgb } from '../../support/pictures/colour-profiles.ts'
import { assertClose } from '../../support/pictures/quarters.ts'

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
