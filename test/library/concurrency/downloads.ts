import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'vitest'
import { CLAIM_MS } from '../../../shared/library/downloads/copy-record.ts'
import { jobKey } from '../../../shared/library/jobs/job.ts'
import { copyJob } from '../../../shared/library/media/copy-job.ts'
import { findMedia } from '../../../shared/library/media/find.ts'
import { objectKeys } from '../../../shared/library/media/media.ts'
import { everyObject } from '../../../shared/library/pages.ts'
import { toMediaId } from '../../../shared/vocabulary/ids.ts'
import { images } from '../../support/pictures/index.ts'
import type { PeerOutcome } from './peers.ts'
import type { SharedLibrary } from './shared-library.ts'

/** What happens to prepared downloads at the same time. */
export function downloadScenarios(library: () => SharedLibrary): void {
  const download = (file: number) => library().request('GET', `/media/${file}/download_location`)
  const retitle = (file: number, title: string) => library().request('POST', `/media/${file}/metadata/title`, { en: title })

  /** A run of the job that makes the copy of a file. */
  const jobOf = (file: number) => {
    const job = { ...jobKey(`${copyJob.name}.${file}`), companyId: 0, input: { mediaIds: [file] } }
    return { consumer: copyJob.name, event: { job } }
  }

  const jpeg = async (folder: number) => library().fileOf(await images['plain.jpg'](), folder)

  async function copies(file: number): Promise<string[]> {
    const { table, media } = library().open.backend
    const record = await findMedia({ table }, toMediaId(file))
    const objects = await Array.fromAsync(everyObject(media, objectKeys.downloads(record)))
    return objects.map(({ key }) => key)
  }

  /** What is delivered at a URL. */
  async function delivered({ body }: PeerOutcome): Promise<string> {
    const { url, metadata_written } = body as { url: string; metadata_written?: false }
    assert.equal(metadata_written, undefined)
    const key = decodeURIComponent(new URL(url).pathname.slice('/-/media/'.length))
    const { stream } = await library().open.backend.media.get(key)
    stream.setEncoding('latin1')
    return text(stream)
  }

  test('many processes that offer a file right after an edit write it once, and all offer what was edited', async () => {
    const file = await jpeg(await library().folder())
    for (let round = 0; round < library().rounds; round++) {
      await library().together(retitle(file, `Round ${round}.`))
      const before = await copies(file)
      const answers = await library().together(...Array.from({ length: 8 }, () => download(file)))
      for (const answer of answers) assert.match(await delivered(answer), new RegExp(`Round ${round}\\.`))
      assert.equal((await copies(file)).filter((key) => !before.includes(key)).length, 1)
    }
    assert.deepEqual(await library().problems(), [])
  })

  test('a process that dies while it writes is followed by another one, and leaves nothing', async () => {
    const file = await jpeg(await library().folder())
    for (let round = 0; round < library().rounds / 4; round++) {
      await library().together(retitle(file, `Crash ${round}.`))
      const peer = await library().extraPeer()
      const died = peer.do(jobOf(file)).catch(() => undefined)
      await sleep(round * 60)
      await peer.kill()
      await died
      library().clock.advance(CLAIM_MS / 1000 + 1)
      const [answer] = await library().together(download(file))
      assert.match(await delivered(answer!), new RegExp(`Crash ${round}\\.`))
    }
    assert.deepEqual(await library().problems(), [])
  })
}
