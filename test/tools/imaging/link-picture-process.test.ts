import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterEach, beforeEach, describe, it, onTestFinished, test, vi } from 'vitest'
import { ToolBusy, ToolFailed } from '../../../shared/tools/failure.ts'
import { type LinkPicturePool, openLinkPicturePool } from '../../../shared/tools/imaging/link-picture-process.ts'
import { withNextProcess } from '../../support/next-process.ts'
import { images, quadrantColours, save } from '../../support/pictures/index.ts'
import { assertClose, quarters } from '../../support/pictures/quarters.ts'

const wanted = { mime: 'image/png', target: { width: 32, height: 24 }, grayscale: false, copyright: '© Me' }

describe('a pool of processes that render pictures of links', () => {
  let directory: string
  let pool: LinkPicturePool
  let path: string
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'link-pool-'))
    pool = openLinkPicturePool({ size: 2, waiting: 3 })
    path = await save(directory, 'plain.png', images['plain.png']())
  })
  afterEach(async () => {
    await pool.close()
    await rm(directory, { recursive: true })
  })

  it('renders one picture after the other, and several at once', async () => {
    for (const at of [1, 2, 3]) {
      const { data, mime } = await pool.render(path, { ...wanted, target: { width: 8 * at, height: 6 * at } })
      assert.equal(mime, 'image/png')
      const file = join(directory, `${at}.png`)
      await writeFile(file, data)
      assert.equal((await sharp(file).metadata()).width, 8 * at)
      assertClose(await quarters(file), quadrantColours, 8)
    }
    assert.equal((await Promise.all([1, 2, 3, 4].map(() => pool.render(path, wanted)))).length, 4)
  })

  it('says what is wrong with a picture, and goes on', async () => {
    const noPicture = await save(directory, 'text.png', Promise.resolve(Buffer.from('no picture')))
    await assert.rejects(pool.render(noPicture, wanted), ToolFailed)
    await assert.rejects(pool.render(join(directory, 'missing.png'), wanted), ToolFailed)
    assert.ok((await pool.render(path, wanted)).data.length > 0)
  })

  it('gives up a picture whose time is over, as busy where it had no processor', async () => {
    const started = Promise.withResolvers<ChildProcess>()
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    withNextProcess((child) => {
      setImmediate(() => {
        process.kill(child.pid!, 'SIGSTOP')
        started.resolve(child)
      })
    })
    const rendering = pool.render(path, wanted).catch((error: unknown) => error)
    const { pid } = await started.promise
    vi.advanceTimersByTime(25_000)
    assert.ok((await rendering) instanceof ToolBusy)
    assert.throws(() => process.kill(pid!, 0))
    assert.ok((await pool.render(path, wanted)).data.length > 0)
  })

  test.skipIf(process.platform !== 'linux')('knows nothing of the service but where temporary files go', async () => {
    const started = Promise.withResolvers<ChildProcess>()
    withNextProcess((child) => started.resolve(child))
    await pool.render(path, wanted)
    const environment = readFileSync(`/proc/${(await started.promise).pid}/environ`, 'utf8')
      .split('\0')
      .filter(Boolean)
    const names = environment.map((variable) => variable.split('=')[0]!)
    assert.deepEqual(
      names.filter((name) => !/^(TMPDIR|PATH|NODE_.*)$/.test(name)),
      [],
    )
  })
})
