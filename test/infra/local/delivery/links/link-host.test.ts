import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { afterAll, describe, test } from 'vitest'
import { embeddedLayout } from '../../../../../shared/backends/disk/layout.ts'
import { openEmbeddedObjects } from '../../../../../shared/backends/objects/embedded.ts'
import { LINK_CONTENT_SECURITY_POLICY } from '../../../../../shared/http/protocol/link-answer.ts'
import { type LinkManifest, writeManifest } from '../../../../../shared/library/links/manifest.ts'
import { publicKeys } from '../../../../../shared/library/links/public-keys.ts'
import { newLinkId } from '../../../../../shared/library/media/link.ts'
import type { LinkId } from '../../../../../shared/vocabulary/ids.ts'
import { hostile, images, quadrants } from '../../../../support/pictures/index.ts'
import { serviceWithAccounts } from '../../../../support/service-with-accounts.ts'
import { shownAt } from '../../../../support/shown.ts'
import { parseRaw, sendRaw } from '../../raw-http.ts'

interface PublishedFile {
  bytes: Buffer
  mime: string
  kind?: LinkManifest['kind']
  extension?: string
  dimensions?: { width: number; height: number } | null
  digitalSourceType?: string
}

describe('the host of links on one machine', async () => {
  const { service } = await serviceWithAccounts()
  const publicFiles = openEmbeddedObjects(embeddedLayout(service.directory!).public)
  afterAll(() => publicFiles.close())

  /** Puts what a publication puts. @returns the path of the link without extension */
  async function publish(file: PublishedFile, { linkId = newLinkId(), revision = 1, alias = 'demo' } = {}): Promise<string> {
    const { bytes, mime, kind = 'image', extension = 'jpg', dimensions = quadrants, digitalSourceType = null } = file
    const { width, height } = dimensions ?? { width: null, height: null }
    const stored = { contentType: mime, disposition: `inline; filename="file.${extension}"` }
    const words = { filename: `file.${extension}`, title: {}, description: {} }
    const labels = { copyright: null, digitalSourceType, transparent: false, focalPoint: null }
    const manifest = { revision, file: 1, mime, kind, bytes: bytes.length, width, height, extension, ...labels, ...words, master: false }
    await publicFiles.put(publicKeys.original(linkId, { revision }), bytes, { contentType: mime })
    await publicFiles.put(publicKeys.copy({ alias, linkId }), bytes, stored)
    await publicFiles.put(publicKeys.manifest({ alias, linkId }), writeManifest(manifest), { contentType: 'application/json' })
    return `/-/links/${alias}/${linkId}`
  }

  const photo = async () => ({ bytes: await images['plain.jpg'](), mime: 'image/jpeg' })
  const get = (path: string, init?: RequestInit) => fetch(shownAt(service) + path, { redirect: 'manual', ...init })

  /** Every answer carries these. */
  function assertLinkHeaders({ headers }: Response): void {
    assert.equal(headers.get('access-control-allow-origin'), '*')
    assert.match(headers.get('access-control-expose-headers') ?? '', /ETag.*X-Svc-Request-Id/)
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.equal(headers.get('content-security-policy'), LINK_CONTENT_SECURITY_POLICY)
    assert.equal(headers.get('cross-origin-resource-policy'), 'cross-origin')
    assert.match(headers.get('x-svc-request-id') ?? '', /^[0-9a-f-]{36}$/)
    assert.equal(headers.get('vary'), null)
  }

  async function assertError(response: Response, status: number, code: string): Promise<void> {
    assert.equal(response.status, status)
    assertLinkHeaders(response)
    assert.equal(response.headers.get('content-type'), 'application/json')
    assert.equal(response.headers.get('cache-control'), 'no-store')
    const error = (await response.json()) as { code: string; message: string; request_id: string }
    assert.equal(error.code, code)
    assert.equal(typeof error.message, 'string')
    assert.equal(error.request_id, response.headers.get('x-svc-request-id'))
  }

  describe('with a transformation', () => {
    test('a picture says since when the link shows it, rendered or kept, and who has it since then is told so', async () => {
      const linkId = newLinkId()
      const path = `${await publish(await photo(), { linkId })}?width=20`
      const modified = new Date((await publicFiles.head(publicKeys.manifest({ alias: 'demo', linkId })))!.modified).toUTCString()
      for (const cache of ['miss', 'hit', 'hit']) {
        const { headers } = await get(path)
        assert.deepEqual([headers.get('x-cache'), headers.get('last-modified')], [cache, modified])
      }
      const etag = (await get(path, { method: 'HEAD' })).headers.get('etag')!
      const since = await get(path, { headers: { 'if-modified-since': modified } })
      assert.equal(since.status, 304)
      assert.deepEqual([since.headers.get('etag'), since.headers.get('last-modified')], [etag, modified])
      const earlier = new Date(Date.parse(modified) - 1000).toUTCString()
      assert.equal((await get(path, { headers: { 'if-modified-since': earlier } })).status, 200)
      const other = await get(path, { headers: { 'if-none-match': '"other"', 'if-modified-since': modified } })
      assert.equal(other.status, 200, 'a tag counts instead of a date')
      const part = await get(path, { headers: { range: 'bytes=0-1', 'if-range': modified } })
      assert.equal(part.status, 206)
    })
  })

  const playlist = Buffer.from('#EXTM3U\n')
  const segment = randomBytes(100_000)
  const stream = async () => {
    const id = randomBytes(16).toString('hex')
    await publicFiles.put(`streams/${id}/index.m3u8`, playlist, { contentType: 'application/vnd.apple.mpegurl' })
    await publicFiles.put(`streams/${id}/720p_00000.m4s`, segment, { contentType: 'video/iso.segment' })
    return `/-/links/streams/${id}`
  }

  test.each([
    ['a file', async () => publish(await photo())],
    ['a picture', async () => `${await publish(await photo())}?width=20`],
    ['a file of a stream', async () => `${await stream()}/720p_00000.m4s`],
  ])('ranges, HEAD and conditions of %s', async (_, published) => {
    const path = await published()
    const bytes = Buffer.from(await (await get(path)).arrayBuffer())
    const part = await get(path, { headers: { range: 'bytes=-7' } })
    assert.deepEqual([part.status, part.headers.get('content-range')?.split('/')[1]], [206, String(bytes.length)])
    assert.ok(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(-7)))
    assert.equal((await get(path, { headers: { range: `bytes=${bytes.length}-` } })).status, 416)
    const head = await get(path, { method: 'HEAD' })
    assert.deepEqual([head.headers.get('content-length'), await head.text()], [String(bytes.length), ''])
    const etag = head.headers.get('etag')!
    const unchanged = await get(path, { headers: { 'if-none-match': `"other", W/${etag}` } })
    assert.deepEqual([unchanged.status, unchanged.headers.get('etag')], [304, etag])
    assertLinkHeaders(unchanged)
    const since = await get(path, { headers: { 'if-modified-since': head.headers.get('last-modified')! } })
    assert.equal(since.status, 304)
  })

  describe('a format as the client accepts it', () => {
    const answered = async (path: string, init: RequestInit, status: number) => {
      const response = await get(path, init)
      await response.arrayBuffer()
      assert.equal(response.status, status, path)
      return response.headers
    }

    test('is told by every answer: whole, a part, unchanged, wrong, not there', async () => {
      const path = await publish(await photo())
      const auto = `${path}?width=20&output_format=auto`
      const headers = { accept: 'image/webp' }
      const whole = await answered(auto, { headers }, 200)
      assert.deepEqual([whole.get('content-type'), whole.get('vary')], ['image/webp', 'Accept'])
      const etag = whole.get('etag')!
      for (const [asked, init, status] of [
        [auto, { method: 'HEAD', headers }, 200],
        [auto, { headers: { ...headers, 'if-none-match': etag } }, 304],
        [auto, { headers: { ...headers, range: 'bytes=0-9' } }, 206],
        [auto, { headers: { ...headers, range: 'bytes=99999999-' } }, 416],
        [`${auto}&height=0`, { headers }, 400],
        [auto, { method: 'POST', headers }, 405],
        [auto.replace(path, `/-/links/demo/${newLinkId()}`), { headers }, 404],
      ] as const)
        assert.equal((await answered(asked, init, status)).get('vary'), 'Accept', asked)
      assert.equal((await answered(`${path}?width=20&output_format=webp`, { headers }, 200)).get('vary'), null)
      assert.equal((await answered(path, { headers }, 200)).get('vary'), null)
    })

    test('who has one form of a picture is sent another', async () => {
      const auto = `${await publish(await photo())}?width=20&output_format=auto`
      const accepted = ['*/*', 'image/webp', 'image/avif,image/webp']
      const tags = await Promise.all(accepted.map(async (accept) => (await answered(auto, { headers: { accept } }, 200)).get('etag')!))
      assert.equal(new Set(tags).size, 3)
      await answered(auto, { headers: { accept: 'image/webp', 'if-none-match': tags[0]! } }, 200)
    })

    test('is one of three, whatever clients accept', async () => {
      const auto = `${await publish(await photo())}?width=20&output_format=auto`
      const formats = new Map<string, string>()
      for (const accept of [
        '*/*',
        'image/*',
        'image/webp;q=0',
        'image/webp',
        'image/avif',
        'image/avif;q=0.1, image/webp',
        'IMAGE/AVIF,image/webp,*/*',
      ]) {
        const { headers } = await get(auto, { headers: { accept } })
        formats.set(headers.get('etag')!, headers.get('content-type')!)
      }
      assert.deepEqual([...formats.values()].toSorted(), ['image/avif', 'image/jpeg', 'image/webp'])
    })
  })

  test('parameters that are ignored are named by every answer, and scripts may read their names', async () => {
    const path = await publish(await photo())
    const wrong = 'dpr=9&crop=2&fit=fill&crop=0'
    const file = await publish({ bytes: Buffer.from('text'), mime: 'text/plain', kind: 'other', dimensions: null })
    const { headers } = await get(`${path}?width=20&${wrong}`)
    const etag = headers.get('etag')!
    for (const [asked, init, status] of [
      [`${path}?${wrong}`, {}, 200],
      [`${path}?width=20&${wrong}`, { headers: { 'if-none-match': etag } }, 304],
      [`${path}?width=x&${wrong}`, {}, 400],
      [`/-/links/demo/${newLinkId()}?${wrong}`, {}, 404],
      [`${file}?${wrong}`, {}, 200],
    ] as const) {
      const response = await get(asked, init)
      assert.deepEqual([response.status, response.headers.get('link-ignored')], [status, 'fit, crop, dpr'], asked)
      assertLinkHeaders(response)
      assert.match(response.headers.get('access-control-expose-headers')!, /Link-AI, Link-Ignored/)
    }
    const right = await get(`${path}?width=20&dpr=2&fit=cover&hdr=0&utm_source=x`)
    assert.equal(right.headers.get('link-ignored'), null)
    assert.equal((await get(`${path}?width=20&hdr=x`)).headers.get('etag'), (await get(`${path}?width=20`)).headers.get('etag'))
  })

  test('how a picture came about is said with the file, its parts and its pictures, also to who has them', async () => {
    for (const [digitalSourceType, label] of [
      ['trainedAlgorithmicMedia', 'generated'],
      ['compositeSynthetic', 'modified'],
      ['digitalCapture', null],
    ] as const) {
      const path = await publish({ ...(await photo()), digitalSourceType })
      for (const each of [path, `${path}?width=20`, `${path}?width=20`]) {
        const { headers } = await get(each)
        assert.equal(headers.get('link-ai'), label)
        for (const init of [
          { method: 'HEAD' },
          { headers: { range: 'bytes=0-1' } },
          { headers: { 'if-none-match': headers.get('etag')! } },
        ])
          assert.equal((await get(each, init)).headers.get('link-ai'), label, JSON.stringify(init))
      }
    }
  })

  describe('what is wrong', () => {
    test('links that are not there are 404, with and without parameters', async () => {
      const path = await publish(await photo(), { alias: 'theirs' })
      const id = path.slice(-32)
      for (const wrong of [
        `/-/links/demo/${newLinkId()}.jpg`,
        `/-/links/demo/${id}.jpg`,
        `/-/links/theirs%2f${id}`,
        `/-/links/demo/${id}.jpg%2f..%2f..%2f_`,
        `/-/links/_/links/theirs/${id}.json`,
        `/-/links/_/sources/${id}/1/original`,
        '/-/links/demo',
        '/-/links/',
        '/-/links//',
        '/-/links/demo/',
      ]) {
        for (const query of ['', '?width=20']) await assertError(await get(wrong + query), 404, 'link_not_found')
        assert.equal(await (await get(wrong, { method: 'HEAD' })).text(), '')
      }
    })

    test('dots lead nowhere else', async () => {
      const path = await publish(await photo())
      const { host } = new URL(shownAt(service))
      for (const target of [`${path}/../x`, `/-/links/../links/demo/${path.slice(-32)}`, '/-/links/demo/../../../etc/passwd']) {
        const answer = parseRaw(await sendRaw(shownAt(service), `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`))
        assert.equal(answer.status, 404)
      }
    })

    test('an image that cannot be decoded is 422, and stays the file without parameters', async () => {
      for (const name of ['noise.jpg', 'header-bomb.png'] as const) {
        const bytes = await hostile[name]()
        const mime = name.endsWith('.png') ? 'image/png' : 'image/jpeg'
        const path = await publish({ bytes, mime, dimensions: { width: 65_500, height: 65_500 } })
        await assertError(await get(`${path}?width=20`), 422, 'undecodable')
        assert.equal((await (await get(path)).arrayBuffer()).byteLength, bytes.length)
      }
      const undecodable = await publish({ bytes: Buffer.from('x'), mime: 'image/x-odd', kind: 'undecodable', dimensions: null })
      await assertError(await get(`${undecodable}?width=20`), 422, 'undecodable')
    })

    test('a source that is being made is waited for', async () => {
      const path = await publish(await photo())
      const key = publicKeys.original(path.slice(-32) as LinkId, { revision: 1 })
      const { stream, ...labels } = await publicFiles.get(key)
      const original = Buffer.concat(await stream.toArray())
      await publicFiles.delete([key])
      const waiting = get(`${path}?width=20`)
      assert.equal((await get(`${await publish(await photo())}?width=20`)).status, 200)
      await publicFiles.put(key, original, labels)
      assert.equal((await waiting).status, 200)
    })

    test('a source that takes longer is 503, for a moment', async () => {
      const path = await publish(await photo())
      await publicFiles.delete([publicKeys.original(path.slice(-32) as LinkId, { revision: 1 })])
      const moving = setInterval(() => service.advance(1), 1)
      const response = await get(`${path}?width=20`).finally(() => clearInterval(moving))
      assert.equal(response.headers.get('retry-after'), '2')
      await assertError(response, 503, 'picture_not_ready')
    })
  })

  describe('a file of a stream', () => {
    test('is served to any site as it was stored: playlists for a short time, all else for ever', async () => {
      const path = await stream()
      const [listed, played] = [await get(`${path}/index.m3u8?width=5`), await get(`${path}/720p_00000.m4s`)]
      for (const response of [listed, played]) {
        assert.equal(response.status, 200)
        assertLinkHeaders(response)
        assert.equal(response.headers.get('accept-ranges'), 'bytes')
      }
      assert.equal(listed.headers.get('content-type'), 'application/vnd.apple.mpegurl')
      assert.equal(listed.headers.get('cache-control'), 'public, max-age=20')
      assert.equal(await listed.text(), '#EXTM3U\n')
      assert.equal(played.headers.get('content-type'), 'video/iso.segment')
      assert.equal(played.headers.get('cache-control'), 'public, max-age=31536000, immutable')
      assert.ok(Buffer.from(await played.arrayBuffer()).equals(segment))
    })

    test('that is not there is not found', async () => {
      const path = await stream()
      await assertError(await get(`${path}/none.m4s`), 404, 'stream_not_found')
      await assertError(await get('/-/links/streams/x.m3u8'), 404, 'stream_not_found')
      await assertError(await get(`${path}/%2e%2e%2fother`), 404, 'stream_not_found')
      await assertError(await get(`/-/links/streams/${'0'.repeat(32)}/index.m3u8`), 404, 'stream_not_found')
      await publicFiles.delete([`${path.slice('/-/links/'.length)}/index.m3u8`])
      await assertError(await get(`${path}/index.m3u8`), 404, 'stream_not_found')
    })
  })
})
