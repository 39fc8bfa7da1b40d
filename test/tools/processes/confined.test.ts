import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { existsSync, readFileSync, readlinkSync } from 'node:fs'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { openLinkPicturePool } from '../../../shared/tools/imaging/link-picture-process.ts'
import { openProfileImageMaker } from '../../../shared/tools/imaging/profile-image-process.ts'
import { createExifTool } from '../../../shared/tools/metadata/exiftool.ts'
import { confinement } from '../../../shared/tools/processes/confined.ts'
import { createVideoProbe } from '../../../shared/tools/video/probe.ts'
import { withPerl } from '../../support/exiftool.ts'
import { withNextProcess } from '../../support/next-process.ts'
import { images, save } from '../../support/pictures/index.ts'
import { skippedFor } from '../../support/skipping.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'

const way = await confinement()
const withoutNetwork = skippedFor(!way.includes('unshare') && 'this system lets nobody make a network of their own')
const withoutNewRights = skippedFor(!way.includes('setpriv') && 'this system has no setpriv')

const mayGetNewRights = (pid: number | string) => /^NoNewPrivs:\s*0$/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
const networkOf = (pid: number | string) => readlinkSync(`/proc/${pid}/ns/net`)

describe('a process that reads what others sent', () => {
  const directory = temporaryDirectory(afterAll)
  let picture: string
  beforeAll(async () => {
    picture = await save(directory, 'plain.jpg', images['plain.jpg']())
    process.env.SOME_SECRET = 'hidden'
  })
  afterAll(() => void delete process.env.SOME_SECRET)

  describe('gets no network, no new rights and nothing of the environment', { ...withoutNetwork, ...withoutNewRights }, () => {
    /** What a process may, once it is the program itself. */
    async function assertConfined(program: string, work: () => Promise<unknown>): Promise<void> {
      const started = Promise.withResolvers<ChildProcess>()
      withNextProcess(started.resolve)
      const working = work()
      const { pid } = await started.promise
      const commandOf = () =>
        existsSync(`/proc/${pid}/cmdline`) ? readFileSync(`/proc/${pid}/cmdline`, 'utf8') : assert.fail('it is gone')
      while (!commandOf().startsWith(program)) await new Promise(setImmediate)
      // It waits there meanwhile.
      process.kill(pid!, 'SIGSTOP')
      assert.equal(mayGetNewRights(pid!), false)
      assert.notEqual(networkOf(pid!), networkOf('self'))
      assert.doesNotMatch(readFileSync(`/proc/${pid}/environ`, 'utf8'), /SOME_SECRET/)
      process.kill(pid!, 'SIGCONT')
      await working
    }

    it('one for pictures of links', async () => {
      const pool = openLinkPicturePool({ size: 1, waiting: 1 })
      const wanted = {
        mime: 'image/png',
        target: { width: 32, height: 24 },
        transparent: false,
        labels: { copyright: null, digitalSourceType: null },
      }
      await assertConfined(process.execPath, () => pool.render(picture, wanted))
      await pool.close()
    })

    it('one for profile images', async () => {
      const bytes = readFileSync(picture)
      await assertConfined(process.execPath, () => openProfileImageMaker()(bytes, 4 * 1024 * 1024))
    })

    it('one that probes videos', async () => {
      await assertConfined(process.execPath, () => assert.rejects(createVideoProbe()(picture), /can't be probed/))
    })

    it('ExifTool', withPerl, async () => {
      const exiftool = createExifTool({ kind: 'perl' })
      await exiftool.engine()
      await assertConfined('perl', () => exiftool.readTags(picture, 'plain.jpg'))
      await exiftool.close()
    })
  })
})
