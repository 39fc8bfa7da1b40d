import assert from 'node:assert/strict'
import sharp from 'sharp'
import { describe, it } from 'vitest'
import { renderLinkPicture as render } from '../../support/link-picture.ts'
import { images, printedColours as printed, quadrantColours, quadrantGreys, quadrantImage } from '../../support/pictures/index.ts'
import { assertClose, quarters } from '../../support/pictures/quarters.ts'

describe('the colours of a link’s picture', () => {
  it.for<[what: string, source: () => Promise<Buffer>, expected: readonly (readonly number[])[]]>([
    ['Display P3', images['display-p3.jpg'], quadrantColours],
    ['Display P3 with 16 bits', () => quadrantImage().toColourspace('rgb16').withIccProfile('p3').png().toBuffer(), quadrantColours],
    ['16 bits without a profile', images['deep.png'], quadrantColours],
    ['CMYK with the profile of a press', images['cmyk.jpg'], printed],
    ['CMYK without a profile, as of print in general', images['cmyk-without-profile.jpg'], printed],
    ['grey with 16 bits', images['deep-grey.png'], quadrantGreys.map((value) => [value, value, value])],
  ])('are those of %s, in sRGB with 8 bits', async ([, source, expected]) => {
    const { data, header } = await render(source(), { format: 'png' })
    assert.deepEqual([header.icc, header.depth], [undefined, 'uchar'])
    assertClose(await quarters(await sharp(data).toColourspace('srgb').png().toBuffer()), expected, 12)
  })
})
