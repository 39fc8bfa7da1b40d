import assert from 'node:assert/strict'
import sharp from 'sharp'
import { describe, it } from 'vitest'
import { ToolFailed } from '../../../shared/tools/failure.ts'
import { renderLinkPicture as render } from '../../support/link-picture.ts'
import { assertClose } from '../../support/pictures/quarters.ts'

const [width, height] = [60, 40]

/** Frames that change all their colours, so that each needs a palette of its own. */
const frameColours = [
  [220, 30, 30],
  [30, 200, 40],
  [30, 40, 220],
  [240, 220, 40],
  [10, 10, 10],
]
const delays = [40, 100, 250, 70, 1_000]

function animated(format: 'gif' | 'webp', loop: number): Promise<Buffer> {
  const pixels = Buffer.concat(
    frameColours.map((colour) =>
      Buffer.from(
        Array(width * height)
          .fill(colour)
          .flat(),
      ),
    ),
  )
  const frames = sharp(pixels, { raw: { width, height: height * frameColours.length, channels: 3, pageHeight: height } })
  return (format === 'gif' ? frames.gif({ delay: delays, loop }) : frames.webp({ delay: delays, loop, lossless: true })).toBuffer()
}

describe('the picture of a link that moves', () => {
  for (const from of ['gif', 'webp'] as const) {
    for (const to of ['gif', 'webp'] as const) {
      it(`from ${from} to ${to} keeps its frames, delays and loops`, async () => {
        const loop = 3
        const asked = { width: 30, ...(to === 'webp' ? { format: to } : {}) }
        const picture = await render(animated(from, loop), asked, { mime: `image/${to}` })
        const { header } = picture
        assert.deepEqual([header.format, header.pages, header.width, header.pageHeight], [to, 5, 30, 20])
        assert.deepEqual([header.delay, header.loop], [delays, loop])
        for (const [frame, colour] of frameColours.entries()) {
          assertClose([(await picture.at(0.5, 0.5, frame)).slice(0, 3)], [colour], 8)
          // No frame shows anything of those above and below it in memory.
          assertClose([(await picture.at(0.5, 0.99, frame)).slice(0, 3)], [colour], 24)
        }
      })
    }

    for (const format of ['jpeg', 'png', 'avif'] as const) {
      it(`from ${from} to ${format} shows its first frame`, async () => {
        const picture = await render(animated(from, 0), { width: 30, format })
        assert.deepEqual([picture.header.pages ?? 1, picture.header.width, picture.header.height], [1, 30, 20])
        assertClose([(await picture.at(0.5, 0.5)).slice(0, 3)], [frameColours[0]!], 8)
      })
    }
  }

  it('is refused when its frames have too many pixels together, though one alone has few', async () => {
    const still = await sharp({ create: { width: 4_000, height: 4_000, channels: 3, background: '#808080' } })
      .gif({ effort: 1 })
      .toBuffer()
    const few = await render(repeated(still, 2), { width: 10 })
    assert.equal(few.header.pages, 2)
    await assert.rejects(render(repeated(still, 20), { width: 10 }), ToolFailed)
  })
})

describe('the frames of a picture that moves', () => {
  it('are refused when their canvases have too many pixels together', async () => {
    const still = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#808080' } })
      .gif()
      .toBuffer()
    const asked = { fit: 'pad', width: 4_096, height: 4_096 } as const
    for (const format of ['webp', undefined] as const) {
      await assert.rejects(render(repeated(still, 1_000), { ...asked, ...(format && { format }) }), ToolFailed)
    }
    const one = await render(repeated(still, 1_000), { ...asked, format: 'png' })
    assert.deepEqual([one.header.width, one.header.height], [4_096, 4_096])
  })
})

/** A GIF that shows its one frame so many times. */
function repeated(gif: Buffer, times: number): Buffer {
  const frame = gif.indexOf(Buffer.from('21f904', 'hex'))
  return Buffer.concat([gif.subarray(0, frame), ...Array(times).fill(gif.subarray(frame, -1)), gif.subarray(-1)])
}
