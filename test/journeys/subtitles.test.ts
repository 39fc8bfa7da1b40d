import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'vitest'
import { mp4 } from '../support/pictures/index.ts'
import { elsewhere } from '../support/service.ts'
import { serviceWithAccounts } from '../support/service-with-accounts.ts'
import { until } from '../support/until.ts'
import { uploadAndImport } from '../support/uploading.ts'
import { testVideo, withVideos } from '../support/videos.ts'

const SUBRIP = '1\r\n00:00:01,000 --> 00:00:02,500\r\n<font color="red">Smørrebrød</font> & <i>øl</i>\r\n'
const WEBVTT = 'WEBVTT\n\n00:00:01.000 --> 00:00:02.500\nSmørrebrød &amp; <i>øl</i>\n'

describe('subtitles', async () => {
  const { service } = await serviceWithAccounts()

  async function setUp(film: Uint8Array = mp4(['vide'])) {
    const client = await service.client()
    const id = Number((await uploadAndImport(client, service.demo.folder_id, film, 'film.mp4')).id)
    const authorization = await service.signIn()
    const put = (language: string, body: string | Uint8Array<ArrayBuffer>, type?: string) =>
      service.request(`/media/${id}/subtitles/${language}`, {
        method: 'PUT',
        headers: { authorization, ...(type !== undefined && { 'content-type': type }) },
        body,
      })
    const read = (language: string) => service.request(`/media/${id}/subtitles/${language}`, { headers: { authorization } })
    return { client, id, put, read }
  }

  test('are put as SubRip and read as WebVTT, under one language however it is written', async () => {
    const { client, id, put, read } = await setUp()
    const response = await put('PT-br', SUBRIP, 'application/x-subrip')
    const { changed, ...answer } = (await response.json()) as { changed: string }
    assert.deepEqual([response.status, answer], [200, { language: 'pt-BR', name: 'Português (Brasil)', bytes: Buffer.byteLength(WEBVTT) }])
    assert.match(changed, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)

    const text = await read('pt-BR')
    assert.deepEqual([text.status, text.headers.get('content-type'), await text.text()], [200, 'text/vtt', WEBVTT])
    assert.ok(text.headers.get('etag'))

    await put('da', WEBVTT, 'text/vtt')
    const { body } = await client['list-subtitles']({ params: { id } })
    assert.deepEqual(
      body.map(({ language, name }) => [language, name]),
      [
        ['da', 'Dansk'],
        ['pt-BR', 'Português (Brasil)'],
      ],
    )
    assert.deepEqual((await client['delete-subtitles']({ params: { id, language: 'DA' } })).body, {})
    assert.equal((await read('da')).status, 404)
    assert.equal((await client['delete-subtitles']({ params: { id, language: 'da' } })).status, 404)
  })

  test('are known by their bytes where the type says nothing', async () => {
    const { put, read } = await setUp()
    const types = ['application/octet-stream', 'application/x-www-form-urlencoded', 'text/plain', undefined]
    for (const type of types)
      for (const body of [SUBRIP, WEBVTT]) {
        assert.equal((await put('en', new TextEncoder().encode(body), type)).status, 200, `${type}`)
        assert.equal(await (await read('en')).text(), WEBVTT)
      }
  })

  test('that can not be used are refused in words', async () => {
    const { put, read } = await setUp()
    const refused = async (response: Response) => {
      const { code, message } = (await response.json()) as { code: string; message: string }
      return [response.status, code, message]
    }
    assert.deepEqual(await refused(await put('en', SUBRIP, 'text/vtt')), [
      ...[400, 'unusable_subtitles'],
      'Line 1: must be WEBVTT, alone or before a blank.',
    ])
    const language = 'language must be a language by its BCP 47 tag, like da or pt-BR.'
    for (const tag of ['danish', 'da_DK', '%22x%22', 'en-u-ca-buddhist', 'a'.repeat(300)])
      assert.deepEqual(await refused(await put(tag, WEBVTT, 'text/vtt')), [400, 'invalid_input', language], tag)
    assert.equal((await put('en', new Uint8Array(1024 * 1024 + 1), 'text/vtt')).status, 413)
    assert.equal((await read('en')).status, 404)
  })

  test('are shown by the stream, also when they change after it was made', { ...withVideos, ...elsewhere }, async () => {
    const film = await readFile(await testVideo())
    const { client, id, put } = await setUp(film)
    await put('da', WEBVTT, 'text/vtt')
    await client['create-stream']({ params: { id } })
    const url = await until(async () => {
      const { status, body } = await client['get-stream-url']({ params: { id } })
      return status === 200 && body.Stream
    })
    /** Waits until the playlist names subtitles in these languages. @returns their files, by language */
    const shown = (...languages: string[]) =>
      until(async () => {
        const playlist = await (await fetch(url)).text()
        const named = [...playlist.matchAll(/TYPE=SUBTITLES.*LANGUAGE="([^"]+)".*URI="([^"]+)"/g)].map(([, language, uri]) => [
          language!,
          uri!,
        ])
        return (
          named.map(([language]) => language).join() === languages.join() && (Object.fromEntries(named) as { [language: string]: string })
        )
      })
    const danish = (await shown('da')).da!
    const segments = await (await fetch(new URL(danish, url))).text()
    const [file] = /^subtitles.*vtt$/m.exec(segments) ?? []
    const text = await fetch(new URL(file!, url), { headers: { origin: 'https://player.example' } })
    assert.deepEqual(
      ['content-type', 'access-control-allow-origin', 'cache-control'].map((name) => text.headers.get(name)),
      ['text/vtt', '*', 'public, max-age=31536000, immutable'],
    )
    assert.match(await text.text(), /^WEBVTT\nX-TIMESTAMP-MAP=.*\n\n00:00:01\.000 --> 00:00:02\.500\nSmørrebrød/)

    await put('en', SUBRIP)
    await put('da', WEBVTT.replace('øl', 'snaps'), 'text/vtt')
    const changed = await until(async () => {
      const { da } = await shown('da', 'en')
      return da !== danish && da
    })
    assert.ok(changed)
    await client['delete-subtitles']({ params: { id, language: 'da' } })
    await shown('en')
  })
})
