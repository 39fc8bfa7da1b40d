import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { setStreaming } from '../../shared/library/accounts/companies.ts'
import { setEmail } from '../../shared/library/accounts/users.ts'
import { toUserId } from '../../shared/vocabulary/ids.ts'
import { mailsTo } from '../support/mail.ts'
import { images, mp4 } from '../support/pictures/index.ts'
import { elsewhere } from '../support/service.ts'
import { serviceWithAccounts } from '../support/service-with-accounts.ts'
import { filesOfStream } from '../support/stream-files.ts'
import { until } from '../support/until.ts'
import { upload, uploadAndImport } from '../support/uploading.ts'
import { testVideo, withVideos } from '../support/videos.ts'

const codeOf = ({ body }: { body: object }) => (body as { code?: string }).code

/** Longest time until a short video is encoded, in milliseconds. */
const PATIENCE = 300_000

describe('videos', async () => {
  const { service, accounts, person } = await serviceWithAccounts()
  const client = await service.client()
  const { folder_id: folder, company_id, user_id } = service.demo
  const uploaded = async (bytes: Uint8Array, name: string) => Number((await uploadAndImport(client, folder, bytes, name)).id)

  /** Repeats a request until it answers with something else. */
  async function untilNot<Answer extends { status: number }>(pending: number, ask: () => Promise<Answer>): Promise<Answer> {
    return until(async () => {
      const answer = await ask()
      return answer.status !== pending && answer
    })
  }

  const sized = (id: number) => client['get-sized-download-location']({ params: { id, size: '1200px' } })
  const preview = (id: number) => client['get-preview']({ params: { id } })
  const askForStream = (id: number, by = client) => by['create-stream']({ params: { id } })
  const streamUrl = (id: number, by = client) => by['get-stream-url']({ params: { id } })

  describe('that can be encoded', { ...withVideos, ...elsewhere }, () => {
    test('are previewed and streamed, and whoever asked gets an e-mail', async () => {
      const email = 'streamer@example.com'
      await setEmail(accounts.library, toUserId(user_id), email)
      const bytes = await readFile(await testVideo({ width: 640, height: 360, seconds: 2 }))
      const document = await uploadAndImport(client, folder, bytes, 'Hafen Ø.mov')
      const id = Number(document.id)
      assert.deepEqual([document.type, document.width, document.height], ['video', 640, 360])
      assert.deepEqual([document.video?.video_codec, document.video?.audio_codec, document.video?.frame_rate], ['h264', 'aac', 25])
      assert.ok(Math.abs(document.video!.duration! - 2) < 0.2)

      const pending = await sized(id)
      assert.deepEqual([pending.status, pending.headers.get('retry-after')], [409, '5'])
      assert.equal(codeOf(pending), 'preview_pending')
      assert.equal((await preview(id)).status, 409)
      const { status, body } = await untilNot(409, () => sized(id))
      assert.deepEqual([status, body.method], [200, 'GET'])
      const downloaded = await fetch(body.url)
      assert.deepEqual([downloaded.status, downloaded.headers.get('content-type')], [200, 'video/mp4'])
      assert.match(downloaded.headers.get('content-disposition') ?? '', /^attachment; filename="Hafen __preview.mp4"/)
      const length = Number(downloaded.headers.get('content-length'))
      assert.equal((await downloaded.arrayBuffer()).byteLength, length)
      const part = await fetch(body.url, { headers: { range: 'bytes=0-99' } })
      assert.deepEqual([part.status, part.headers.get('content-range')], [206, `bytes 0-99/${length}`])
      await part.body?.cancel()
      const shown = await fetch((await preview(id)).headers.get('location')!)
      assert.match(shown.headers.get('content-disposition') ?? '', /^inline; /)
      assert.equal((await shown.arrayBuffer()).byteLength, length)

      const found = await client['search-media']({ query: { unique_media_id: id, return_values: ['poster_url', 'thumbnail_url'] } })
      const { poster_url: poster, thumbnail_url: thumbnail } = found.body.response.media[0]!
      assert.match(new URL(thumbnail!).pathname, /generic/)
      const picture = await sharp(Buffer.from(await (await fetch(poster!)).arrayBuffer())).metadata()
      assert.deepEqual([picture.format, picture.width, picture.height], ['jpeg', 640, 360])
      assert.equal((await fetch(poster!.replace(/Signature=.../, 'Signature=abc'))).status, 403)
      const hashOf = async () => {
        const { body } = await client['search-media']({ query: { unique_media_id: id, return_values: ['thumbhash'] } })
        return body.response.media[0]?.thumbhash ?? ''
      }
      const hash = await expect.poll(hashOf, { timeout: PATIENCE }).not.toBe('').then(hashOf)
      assert.ok(Buffer.from(hash, 'base64').length > 4)

      assert.equal((await streamUrl(id)).status, 404)
      for (const answer of await Promise.all(Array.from({ length: 5 }, () => askForStream(id)))) {
        assert.deepEqual([answer.status, answer.body], [200, { Status: 'Created' }])
      }
      const { Stream } = (await untilNot(404, () => streamUrl(id))).body
      assert.match(Stream.slice(service.demo.cdn_url.length), /^\/streams\/[0-9a-f]{32}\/index\.m3u8$/)
      const files = await filesOfStream(Stream)
      assert.ok(files.size >= 5, [...files.keys()].join())
      for (const [url, response] of files) {
        assert.equal(response.status, 200, url)
        assert.equal(response.headers.get('access-control-allow-origin'), '*')
        const age = url.endsWith('.m3u8') ? 'public, max-age=20' : 'public, max-age=31536000, immutable'
        assert.equal(response.headers.get('cache-control'), age, url)
      }
      assert.equal((await fetch(new URL('poster.jpg', Stream))).headers.get('content-type'), 'image/jpeg')

      const [mail] = await mailsTo(email, service, 1)
      const player = `${service.demo.player_url}/?v=${encodeURIComponent(Stream)}&media=${id}`
      for (const told of ['Hafen Ø.mov', Stream, player]) assert.ok(mail!.includes(told), mail)
      assert.equal((await fetch(player)).status, 200)

      await askForStream(id)
      assert.equal((await streamUrl(id)).body.Stream, Stream, 'it stays')
      await client['remove-media']({ params: { id, folderId: folder } })
      assert.equal((await streamUrl(id)).status, 404)
      await untilNot(200, () => fetch(Stream))
      for (const url of files.keys()) assert.equal((await fetch(url)).status, 404, url)
      assert.equal((await mailsTo(email, service, 1)).length, 1)
    })

    test('have the shape in which they are shown, as do what is made of them', async () => {
      const tape = { container: 'dv', codec: 'dvvideo', width: 720, height: 576, pixelShape: '16/15', seconds: 0.4 } as const
      const { id, type, width, height } = await uploadAndImport(client, folder, await readFile(await testVideo(tape)), 'tape.dv')
      assert.deepEqual([type, width, height], ['video', 768, 576])
      assert.equal((await untilNot(409, () => sized(Number(id)))).status, 200)
      const found = await client['search-media']({ query: { unique_media_id: Number(id), return_values: ['poster_url'] } })
      const { poster_url } = found.body.response.media[0]!
      const picture = await sharp(Buffer.from(await (await fetch(poster_url!)).arrayBuffer())).metadata()
      assert.deepEqual([picture.width, picture.height], [768, 576])
      await askForStream(Number(id))
      const { Stream } = (await untilNot(404, () => streamUrl(Number(id)))).body
      assert.match(await (await fetch(Stream)).text(), /RESOLUTION=768x576/)
    })

    test('and cannot: the sizes are not there, the picture is the generic one, and the e-mail says what to do', async () => {
      const { userId, authorization } = await accounts.user()
      await accounts.grant(folder, userId, ['READ', 'WRITE'])
      const email = 'unlucky@example.com'
      await setEmail(accounts.library, userId, email)
      const unlucky = await service.client(authorization)
      const id = await uploaded(mp4(['vide']), 'broken.mp4')
      const unavailable = await untilNot(409, () => sized(id))
      assert.deepEqual([unavailable.status, codeOf(unavailable)], [404, 'rendition_not_found'])
      assert.match((await preview(id)).headers.get('location') ?? '', /generic\/thumbnail/)
      assert.equal((await askForStream(id, unlucky)).status, 200)
      const [first] = await mailsTo(email, service, 1)
      assert.match(first!, /“broken.mp4” could not be made into a stream/)
      assert.equal((await streamUrl(id)).status, 404)
      assert.equal((await askForStream(id, unlucky)).status, 200, 'it is tried again')
      assert.equal((await mailsTo(email, service, 2)).length, 2)
    })
  })

  test('alone can be streamed, by a company that may, and not before their import', async () => {
    const picture = await uploaded(await images['plain.jpg'](), 'plain.jpg')
    const refused = await askForStream(picture)
    assert.deepEqual([refused.status, codeOf(refused)], [400, 'not_a_video'])
    assert.equal((await streamUrl(picture)).status, 404)
    const importing = await upload(client, folder, mp4(['vide']), 'film.mp4')
    assert.ok([200, 409].includes((await askForStream(importing)).status))

    const companyId = await accounts.company('Without streams')
    const boss = await person({ companyId, admin: true })
    const own = (await boss.client['create-folder']({ body: { name: 'Films' } })).body.id
    const { id } = await uploadAndImport(boss.client, own, mp4(['vide']), 'film.mp4')
    const forbidden = await askForStream(Number(id), boss.client)
    assert.deepEqual([forbidden.status, codeOf(forbidden)], [403, 'streaming_not_enabled'])
    assert.equal((await askForStream(Number(id))).status, 404, 'others hear nothing of it')
    await setStreaming(accounts.library, companyId, true)
    assert.equal((await askForStream(Number(id), boss.client)).status, 200)
    assert.ok(company_id !== companyId)
  })

  test('are streamed by who has WRITE on them, and their streams are found by who has READ', async () => {
    const reader = await person()
    const writer = await person()
    const own = (await client['create-folder']({ body: { name: 'Films' } })).body.id
    const { id } = await uploadAndImport(client, own, mp4(['vide']), 'film.mp4')
    const params = { id: Number(id) }
    assert.equal((await askForStream(params.id, reader.client)).status, 404)
    await accounts.grant(own, reader.userId, ['READ'])
    await accounts.grant(own, writer.userId, ['WRITE'])
    assert.equal((await askForStream(params.id, reader.client)).status, 403)
    assert.equal((await askForStream(params.id, writer.client)).status, 200)
    assert.equal((await streamUrl(params.id, writer.client)).status, 403)
    assert.equal((await streamUrl(params.id, reader.client)).status, 404)
  })
})
