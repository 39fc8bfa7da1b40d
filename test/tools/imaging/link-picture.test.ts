import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { ToolFailed } from '../../../shared/tools/failure.ts'
import { outputFormats } from '../../../shared/tools/imaging/transformation.ts'
import { renderLinkPicture as render, type Shown } from '../../support/link-picture.ts'
import { hostile, images, orientedJpeg, quadrantColours, quadrantImage, quadrants } from '../../support/pictures/index.ts'
import { assertClose } from '../../support/pictures/quarters.ts'

const middles = [
  [0.25, 0.25],
  [0.75, 0.25],
  [0.25, 0.75],
  [0.75, 0.75],
] as const

const quartersOf = ({ at }: Shown) => Promise.all(middles.map(([x, y]) => at(x, y)))

const opaque = [...quadrantColours]
const translucent = quadrantColours.map((colour) => [...colour, 128])

describe('the picture of a link', () => {
  for (const orientation of [1, 2, 3, 4, 5, 6, 7, 8]) {
    it(`stands upright, whatever its EXIF orientation: ${orientation}`, async () => {
      const picture = await render(orientedJpeg(orientation), { width: 32, format: 'png' })
      assert.deepEqual([picture.header.width, picture.header.height, picture.header.orientation], [32, 24, undefined])
      assertClose(await quartersOf(picture), opaque, 8)
    })
  }

  for (const format of outputFormats) {
    it(`has as ${format} the pixels and colours that it should have`, async () => {
      const picture = await render(quadrantImage({ width: 601, height: 399 }).png().toBuffer(), { width: 200, format })
      const { header, mime } = picture
      assert.deepEqual([header.format, header.width, header.height, header.depth], [format === 'avif' ? 'heif' : format, 200, 133, 'uchar'])
      assert.equal(mime, `image/${format}`)
      assertClose(await quartersOf(picture), opaque, 8)
    })

    it(`shows as ${format} what shows through, and JPEG white behind it`, async () => {
      const picture = await render(images['alpha.png'](), { height: 24, format })
      const onWhite = quadrantColours.map((colour) => colour.map((value) => Math.round((value * 128 + 255 * 127) / 255)))
      assertClose(await quartersOf(picture), format === 'jpeg' ? onWhite : translucent, 8)
    })

    it(`is grey as ${format}, and as translucent as it was`, async () => {
      const picture = await render(images['alpha.png'](), { width: 32, grayscale: true, format })
      for (const [red, green, blue, alpha] of await quartersOf(picture)) {
        assert.ok(Math.abs(red! - green!) <= 2 && Math.abs(green! - blue!) <= 2, `${red} ${green} ${blue}`)
        if (format !== 'jpeg') assert.ok(Math.abs(alpha! - 128) <= 3)
      }
    })
  }

  const own = {
    'plain.jpg': 'jpeg',
    'plain.png': 'png',
    'plain.webp': 'webp',
    'plain.avif': 'heif',
    'animated.gif': 'gif',
    'plain.tif': 'jpeg',
  } as const
  for (const [name, format] of Object.entries(own)) {
    it(`stays ${format} when ${name} is asked for in no other format`, async () => {
      const picture = await render(images[name as keyof typeof own](), { width: 32 })
      assert.equal(picture.header.format, format)
      assertClose(
        (await quartersOf(picture)).map((colour) => colour.slice(0, 3)),
        opaque,
        10,
      )
    })
  }

  for (const name of ['header-only.jpg', 'header-bomb.png', 'interlaced-bomb.png', 'canvas-bomb.gif', 'bomb.jpg'] as const) {
    it(`of ${name} is refused`, async () => {
      await assert.rejects(render(hostile[name](), { width: 10, format: 'jpeg' }, { target: { width: 10, height: 10 } }), ToolFailed)
    })
  }

  it('of a file that is no picture is refused, whatever it is called', async () => {
    await assert.rejects(render(hostile['entities.svg'](), {}, { mime: 'image/jpeg', target: quadrants }), ToolFailed)
  })
})
