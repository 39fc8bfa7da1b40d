import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { test } from 'vitest'
import { defaultProfileImage } from '../../shared/tools/default-profile-image.ts'

const drawing = fileURLToPath(new URL('../../shared/tools/default-profile-image.svg', import.meta.url))

for (const [size, side] of [
  ['small', 25],
  ['medium', 50],
  ['large', 100],
  ['original', 400],
] as const) {
  test(`the ${size} image of users who have none is the drawing, ${side} pixels square`, async () => {
    const { data: carried, info } = await sharp(defaultProfileImage(size)).raw().toBuffer({ resolveWithObject: true })
    assert.deepEqual([info.width, info.height, info.channels], [side, side, 3])
    const drawn = await sharp(drawing, { density: (72 * side) / 400 })
      .resize(side, side)
      .flatten()
      .raw()
      .toBuffer()
    const differences = carried.map((value, at) => Math.abs(value - drawn[at]!))
    assert.ok(differences.reduce((sum, each) => sum + each, 0) / differences.length < 2)
  })
}
