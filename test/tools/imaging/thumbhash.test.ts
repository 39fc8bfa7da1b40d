import assert from 'node:assert/strict'
import sharp from 'sharp'
import { thumbHashToApproximateAspectRatio, thumbHashToAverageRGBA } from 'thumbhash'
import { describe, test } from 'vitest'
import { ToolFailed } from '../../../shared/tools/failure.ts'
import { createThumbHasher, thumbHashOf } from '../../../shared/tools/imaging/thumbhash.ts'

const hash = createThumbHasher()

describe('a ThumbHash', () => {
  test.each([
    ['wide', { width: 300, height: 150, background: '#c04010' }],
    ['high', { width: 90, height: 270, background: '#1040c0' }],
    ['of one pixel', { width: 1, height: 1, background: '#808080' }],
  ])('tells colour and shape of a picture that is %s', async (_, { width, height, background }) => {
    const picture = await sharp({ create: { width, height, channels: 3, background } })
      .png()
      .toBuffer()
    const bytes = Buffer.from(await hash(picture), 'base64')
    assert.ok(bytes.length <= 32)
    const { r, g, b, a } = thumbHashToAverageRGBA(bytes)
    const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(background.slice(at, at + 2), 16) / 255)
    for (const [is, was] of [
      [r, red],
      [g, green],
      [b, blue],
    ])
      assert.ok(Math.abs(is! - was!) < 0.06, `${is} for ${was}`)
    assert.equal(a, 1)
    assert.ok(Math.abs(Math.log(thumbHashToApproximateAspectRatio(bytes) / (width / height))) < 0.35)
  })

  test('tells that a picture is translucent, and is made of grey ones', async () => {
    const glass = await sharp({ create: { width: 20, height: 20, channels: 4, background: { r: 255, g: 0, b: 0, alpha: 0.5 } } })
      .png()
      .toBuffer()
    assert.ok(Math.abs(thumbHashToAverageRGBA(Buffer.from(await hash(glass), 'base64')).a - 0.5) < 0.05)
    const grey = await thumbHashOf({ data: Buffer.alloc(4_000, 200), width: 80, height: 50, channels: 1 })
    const { r, g, b } = thumbHashToAverageRGBA(Buffer.from(grey, 'base64'))
    assert.ok([r, g, b].every((each) => Math.abs(each - 200 / 255) < 0.05))
  })

  test('is made of no file that is no picture', async () => {
    await assert.rejects(hash(Buffer.from('text')), ToolFailed)
  })
})
