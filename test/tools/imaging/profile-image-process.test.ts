import assert from 'node:assert/strict'
import sharp from 'sharp'
import { describe, test } from 'vitest'
import { ToolBusy, ToolFailed } from '../../../shared/tools/failure.ts'
import { openProfileImageMaker } from '../../../shared/tools/imaging/profile-image-process.ts'
import { withNextProcess } from '../../support/next-process.ts'
import { hostile, images } from '../../support/pictures/index.ts'

const maker = openProfileImageMaker()
const make = (picture: Buffer) => maker(picture, 4 * 1024 * 1024)
const outcome = (picture: Buffer) =>
  make(picture).then(
    () => 'taken',
    (error: Error) => (error instanceof ToolFailed || error instanceof ToolBusy ? error.message : String(error)),
  )

test('all sizes come back from the process, as JPEG files', async () => {
  const made = await make(await images['plain.jpg']())
  assert.deepEqual(Object.keys(made).sort(), ['large', 'medium', 'original', 'small'])
  for (const jpeg of Object.values(made)) {
    assert.ok(Buffer.isBuffer(jpeg))
    assert.equal((await sharp(jpeg).metadata()).format, 'jpeg')
  }
})

test('what is wrong with a picture is told, and those sent at the same time are not held up by it', async () => {
  const sent = [hostile['truncated.jpg'](), images['plain.jpg'](), hostile['bomb.jpg'](), images['plain.png']()]
  const outcomes = await Promise.all((await Promise.all(sent)).map(outcome))
  assert.deepEqual(outcomes, ['cannot be decoded: it is damaged', 'taken', 'has more than 50 million pixels', 'taken'])
})

describe('a process that', () => {
  test('crashes on a picture fails for that one alone', async () => {
    const picture = await images['plain.jpg']()
    withNextProcess((child) => setImmediate(() => child.kill('SIGSEGV')))
    assert.deepEqual(await Promise.all([picture, picture].map(outcome)), ['cannot be decoded: it is damaged', 'taken'])
  })

  test('is done, or has refused a picture, is gone', async () => {
    for (const picture of [await images['plain.jpg'](), await hostile['truncated.jpg']()]) {
      const ended = Promise.withResolvers<NodeJS.Signals | null>()
      withNextProcess((child) => child.once('exit', (_, signal) => ended.resolve(signal)))
      await outcome(picture)
      assert.equal(await ended.promise, 'SIGKILL')
    }
  })
})
