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
  const remove = (file: number, folder: number) => library().request('DELETE', `/media/${file}/folder/${folder}`)

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

  test('files that are edited while they are offered carry one of the edits, and the last one in the end', async () => {
    const file = await jpeg(await library().folder())
    for (let round = 0; round < library().rounds; round++) {
      const edits = ['first', 'second', 'third'].map((title) => retitle(file, `${round} ${title}`))
      const answers = await library().together(...edits.flatMap((edit) => [edit, download(file), download(file)]))
      for (const answer of answers.filter(({ body }) => 'url' in (body as object))) await delivered(answer)
      const { body } = (await library().together(library().request('GET', `/media/${file}/`)))[0]!
      const { metadata } = body as { metadata: { title: { en: string } } }
      const [last] = await library().together(download(file))
      assert.match(await delivered(last!), new RegExp(metadata.title.en))
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

  test('a file that is removed while it is written is gone with all that was prepared of it', async () => {
    const folder = await library().folder()
    for (let round = 0; round < library().rounds; round++) {
      const file = await jpeg(folder)
      await library().together(retitle(file, 'Title'))
      const [offered, removed] = await library().together(download(file), remove(file, folder), jobOf(file), download(file))
      assert.ok(offered!.status === 200 || offered!.status === 404)
      assert.equal(removed!.status, 200)
      await library().background.followChanges()
      assert.equal(await library().status(`/media/${file}`), 404)
    }
    assert.deepEqual(await library().problems(), [])
  })

  test('a copy that ends while it is asked for is offered, or made anew', async () => {
    const file = await jpeg(await library().folder())
    await library().together(retitle(file, 'Kept'))
    const expire = { consumer: 'expire-downloads', event: {} }
    for (let round = 0; round < library().rounds; round++) {
      await library().together(download(file))
      library().clock.advance(7 * 86_400)
      const [, ...answers] = await library().together(expire, download(file), download(file), expire, download(file))
      for (const answer of answers.filter(({ body }) => body !== undefined)) assert.match(await delivered(answer), /Kept/)
    }
    // Weeks have passed for what other tests left in trashcans, too.
    await library().together({ consumer: 'expire-trash', event: {} })
    assert.deepEqual(await library().problems(), [])
  })
}
