import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, test } from 'vitest'
import { setEmail } from '../../../shared/library/accounts/users.ts'
import { toUserId } from '../../../shared/vocabulary/ids.ts'
import { linesOf } from '../../support/aws/stack-logs.ts'
import { mailsTo } from '../../support/mail.ts'
import { mp4 } from '../../support/pictures/index.ts'
import { serviceWithAccounts } from '../../support/service-with-accounts.ts'
import { filesOfStream } from '../../support/stream-files.ts'
import { uploadAndImport } from '../../support/uploading.ts'
import { testVideo, withVideos } from '../../support/videos.ts'

/** Longest time until a short video is encoded, in milliseconds. */
const PATIENCE = 180_000

/** Lines of the log that an error shows. */
const SHOWN_LINES = 10

describe('videos', withVideos, async () => {
  const { service, accounts } = await serviceWithAccounts()
  const client = await service.client()
  const { folder_id: folder, user_id } = service.demo

  /** Asks again while the answer has one of these statuses. @throws Error with the last answer, and with what the function that encodes has logged */
  async function untilNot<Answer extends { status: number }>(what: string, pending: number[], ask: () => Promise<Answer>): Promise<Answer> {
    let last: Answer | undefined
    for (const end = performance.now() + PATIENCE; performance.now() < end; await sleep(500)) {
      last = await ask()
      if (!pending.includes(last.status)) return last
    }
    throw new Error(`${what}: still ${last?.status} after ${PATIENCE / 1000} s; ${await logged()}`)
  }

  async function logged(): Promise<string> {
    const lines = (await linesOf(service.stack!)).filter((line) => /encode-video|"level":"(error|warn)"/.test(line))
    return `logged:\n${lines.slice(-SHOWN_LINES).join('\n')}`
  }

  const sized = (id: number) => client['get-sized-download-location']({ params: { id, size: '1200px' } })

  test('are previewed and streamed by jobs of MediaConvert, shown by the player, and removed with all that was made of them', async () => {
    const email = 'rehearsed-streamer@example.com'
    await setEmail(accounts.library, toUserId(user_id), email)
    const bytes = await readFile(await testVideo({ width: 640, height: 360, seconds: 8 }))
    const document = await uploadAndImport(client, folder, bytes, 'harbour.mp4')
    const id = Number(document.id)
    assert.deepEqual([document.type, document.width, document.height], ['video', 640, 360])

    const preview = await untilNot('the preview', [409], () => sized(id))
    assert.equal(preview.status, 200, `${JSON.stringify(preview.body)}; ${await logged()}`)
    const downloaded = await fetch(preview.body.url)
    assert.deepEqual([downloaded.status, downloaded.headers.get('content-type')], [200, 'video/mp4'])
    assert.equal(Buffer.from(await downloaded.arrayBuffer()).toString('latin1', 4, 8), 'ftyp')

    const asked = await client['create-stream']({ params: { id } })
    assert.deepEqual([asked.status, asked.body], [200, { Status: 'Created' }])
    const { status, body } = await untilNot('the stream', [404], () => client['get-stream-url']({ params: { id } }))
    assert.equal(status, 200, JSON.stringify(body))
    assert.match(body.Stream.slice(service.demo.cdn_url.length), /^\/streams\/[0-9a-f]{32}\/index\.m3u8$/)

    const files = await filesOfStream(body.Stream)
    assert.ok(files.size > 8, `the stream has only ${[...files.keys()].join(', ')}`)
    for (const [url, { status, headers }] of files) {
      const age = url.endsWith('.m3u8') ? 'public, max-age=20' : 'public, max-age=31536000, immutable'
      const labels = [status, headers.get('access-control-allow-origin'), headers.get('cache-control')]
      assert.deepEqual(labels, [200, '*', age], url)
    }
    assert.equal((await fetch(new URL('poster.jpg', body.Stream))).status, 200, 'the poster')

    const page = await fetch(`${service.demo.player_url}/?v=${encodeURIComponent(body.Stream)}&media=${id}`)
    assert.equal(page.status, 200, 'the page of the player')
    assert.match(await page.text(), /id="player"/)
    assert.ok((await mailsTo(email, service, 1))[0]!.includes(body.Stream), 'the e-mail names the stream')

    assert.equal((await client['create-stream']({ params: { id } })).status, 200)
    assert.equal((await client['get-stream-url']({ params: { id } })).body.Stream, body.Stream, 'asked for again it stays')
    await client['remove-media']({ params: { id, folderId: folder } })
    // The emulator answers 403 for an object that isn't there.
    const gone = await untilNot('the removed stream', [200], () => fetch(body.Stream))
    assert.ok([403, 404].includes(gone.status), String(gone.status))
    for (const url of [preview.body.url, ...files.keys()]) {
      const { status } = await untilNot(`what was removed at ${url}`, [200], () => fetch(url))
      assert.ok([403, 404].includes(status), `${url}: ${status}`)
    }
  })

  test('and cannot be encoded: the preview is not waited for', async () => {
    const id = Number((await uploadAndImport(client, folder, mp4(['vide']), 'broken.mp4')).id)
    const { status, body } = await untilNot('the preview', [409], () => sized(id))
    assert.deepEqual([status, (body as { code?: string }).code], [404, 'rendition_not_found'])
  })
})
