import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterEach, beforeEach, describe, it } from 'vitest'
import { ToolFailed } from '../../../shared/tools/failure.ts'
import { type LinkPicturePool, openLinkPicturePool } from '../../../shared/tools/imaging/link-picture-process.ts'
import { images, quadrantColours, save } from '../../support/pictures/index.ts'
import { assertClose, quarters } from '../../support/pictures/quarters.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'

const wanted = {
  mime: 'image/png',
  target: { width: 32, height: 24 },
  transparent: false,
  labels: { copyright: '© Me', digitalSourceType: null },
}

describe('a pool of processes that render pictures of links', () => {
  let directory: string
  let pool: LinkPicturePool
  let path: string
  beforeEach(async () => {
    directory = temporaryDirectory()
    pool = openLinkPicturePool({ size: 2, waiting: 3 })
    path = await save(directory, 'plain.png', images['plain.png']())
  })
  afterEach(() => pool.close())

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
})
