import assert from 'node:assert/strict'
import sharp from 'sharp'
import { it } from 'vitest'
import { genericThumbnail } from '../../shared/tools/generic-thumbnail.ts'

it('the picture of files without one is a PNG of 93 x 119 pixels', async () => {
  const { bytes, mime, width, height } = genericThumbnail()
  const header = await sharp(bytes).metadata()
  assert.deepEqual([header.format, header.width, header.height], ['png', 93, 119])
  assert.deepEqual([mime, width, height], ['image/png', 93, 119])
  const { channels } = await sharp(bytes).stats()
  assert.ok(channels[0]!.stdev > 5, 'there is something to see on it')
})
