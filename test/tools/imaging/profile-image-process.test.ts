import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import { describe, onTestFinished, test, vi } from 'vitest'
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

  test('is killed by a system without memory fails for its picture', async () => {
    withNextProcess((child) => setImmediate(() => child.kill('SIGKILL')))
    assert.equal(await outcome(await images['plain.jpg']()), 'takes too long or too much memory to decode')
  })

  test('fails by itself is no fault of the picture', async () => {
    withNextProcess((child) => setImmediate(() => child.emit('exit', 1, null)))
    assert.match(await outcome(await images['plain.jpg']()), /^ProcessEnded: the process ended: exit code 1/)
  })

  test('is done, or has refused a picture, is gone', async () => {
    for (const picture of [await images['plain.jpg'](), await hostile['truncated.jpg']()]) {
      const ended = Promise.withResolvers<NodeJS.Signals | null>()
      withNextProcess((child) => child.once('exit', (_, signal) => ended.resolve(signal)))
      await outcome(picture)
      assert.equal(await ended.promise, 'SIGKILL')
    }
  })

  test.skipIf(process.platform !== 'linux')(
    'decodes knows nothing of the service but where programs are and temporary files go',
    async () => {
      process.env.SOME_SECRET = 'hidden'
      onTestFinished(() => void delete process.env.SOME_SECRET)
      const environment = Promise.withResolvers<string>()
      const read = (child: ChildProcess) => {
        const text = readFileSync(`/proc/${child.pid}/environ`, 'utf8')
        // As while one of the programs that confine the process gives way to the next.
        assert.notEqual(text, '')
        return text
      }
      withNextProcess((child) => environment.resolve(vi.waitFor(() => read(child), { interval: 1, timeout: 60_000 })))
      await outcome(await images['plain.jpg']())
      const names = (await environment.promise).split('\0').map((variable) => variable.split('=')[0])
      assert.deepEqual(
        names.filter((name) => name && !name.startsWith('NODE_CHANNEL_')),
        ['PATH', 'TMPDIR'],
      )
    },
  )
})

test('four may wait; the next are refused until there is room again', async () => {
  const picture = await images['plain.jpg']()
  const sent = Array.from({ length: 7 }, () => outcome(picture))
  const full = '4 wait already'
  assert.deepEqual(await Promise.all(sent), ['taken', 'taken', 'taken', 'taken', 'taken', full, full])
  assert.equal(await outcome(picture), 'taken')
})
