import assert from 'node:assert/strict'
import sharp from 'sharp'
import { describe, test } from 'vitest'
import { ToolFailed } from '../../../shared/tools/failure.ts'
import { barePng } from '../../../shared/tools/imaging/bare-png.ts'

const png = await sharp({ create: { width: 20, height: 10, channels: 4, background: '#c02020' } })
  .withExif({ IFD0: { Copyright: 'the secret of a camera' } })
  .png()
  .toBuffer()

const wide = await sharp({ create: { width: 4097, height: 1, channels: 3, background: '#fff' } })
  .png()
  .toBuffer()

describe('a bare PNG', () => {
  test('has the same pixels, and nothing else', async () => {
    const made = barePng(Buffer.concat([png, Buffer.from('<script>alert(1)</script>')]))
    assert.ok(png.includes('eXIf') && !made.includes('eXIf'))
    assert.ok(!made.includes('script'))
    const pixels = (file: Buffer) => sharp(file).raw().toBuffer()
    assert.deepEqual(await pixels(made), await pixels(png))
  })

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['another type', Buffer.from('GIF89a')],
    ['half of one', png.subarray(0, png.length - 20)],
    ['its beginning', png.subarray(0, 8)],
    ['too many pixels', wide],
  ])('is not made of %s', (_, file) => {
    assert.throws(() => barePng(file), ToolFailed)
  })
})
