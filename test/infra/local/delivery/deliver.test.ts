import assert from 'node:assert/strict'
import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { text as textOf } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { deliver } from '../../../../infra/local/delivery/deliver.ts'
import type { DeliveryAnswer } from '../../../../infra/local/delivery/object-answer.ts'
import { systemClock } from '../../../../shared/backends/clock/port.ts'
import { type DeliverySource, embeddedUrls, embeddedVerifyingKeys } from '../../../../shared/backends/edge/embedded.ts'
import type { SignedDelivery } from '../../../../shared/backends/edge/port.ts'
import { signingSecrets } from '../../../backends/edge/signing-keys.ts'
import { type TemporaryObjects, temporaryObjects } from '../../../backends/objects/temporary-objects.ts'

const stored = Date.parse('2024-05-17T10:11:12.345Z')
const now = Date.parse('2024-05-18T00:00:00Z')
const expires = now + 60_000
const origin = 'http://127.0.0.1:4000'
const below = '/files'
const content = '0123456789'

describe('local delivery', () => {
  const { secrets } = signingSecrets()
  const signer = embeddedUrls({ origin, path: below, secrets })
  let bucket: TemporaryObjects
  let source: DeliverySource

  beforeAll(async () => {
    bucket = await temporaryObjects({ ...systemClock, now: () => stored })
    source = { objects: bucket.objects, path: below, keys: embeddedVerifyingKeys(secrets), clock: { ...systemClock, now: () => now } }
    await bucket.objects.put('media/1/naïve photo.jpg', Buffer.from(content), { contentType: 'image/jpeg' })
    await bucket.objects.put('empty', Buffer.alloc(0), { contentType: 'text/plain' })
  })
  afterAll(() => bucket.close())

  async function path(key = 'media/1/naïve photo.jpg', delivery: Partial<SignedDelivery> = {}): Promise<string> {
    return (await signer.sign(key, { expires, ...delivery })).slice(origin.length)
  }

  async function get(headers: IncomingHttpHeaders = {}, key?: string): Promise<DeliveryAnswer & { text: string }> {
    const answer = await deliver({ method: 'GET', url: await path(key), headers }, source)
    return { ...answer, text: await read(answer) }
  }

  test('a signed URL delivers the object with all its labels', async () => {
    const { status, headers, text } = await get()
    const { etag } = (await bucket.objects.head('media/1/naïve photo.jpg'))!
    assert.equal(status, 200)
    assert.equal(text, content)
    assert.deepEqual(headers, {
      'content-type': 'image/jpeg',
      'content-length': '10',
      etag: `"${etag}"`,
      'last-modified': 'Fri, 17 May 2024 10:11:12 GMT',
      'accept-ranges': 'bytes',
      'cache-control': 'private, max-age=3600',
      'no-vary-search': 'params=("Expires" "Signature")',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      vary: 'Origin',
    })
  })

  test('a download and a refusal stand for no other URL', async () => {
    const urls = [await path(undefined, { disposition: 'attachment' }), await path('nothing'), await path(undefined, { expires: now })]
    for (const url of urls) {
      assert.equal((await deliver({ method: 'HEAD', url, headers: {} }, source)).headers['no-vary-search'], undefined)
    }
    const outside = await deliver({ method: 'HEAD', url: await path(), headers: { range: 'bytes=10-' } }, source)
    assert.deepEqual([outside.status, outside.headers['no-vary-search']], [416, undefined])
  })

  test('a disposition that no header can carry is left out', async () => {
    const url = await path(undefined, { disposition: 'attachment\r\nset-cookie: a=b' })
    const { status, headers } = await deliver({ method: 'HEAD', url, headers: {} }, source)
    assert.equal(status, 200)
    assert.equal(headers['content-disposition'], undefined)
  })

  test.each([
    ['bytes=0-0', 206, 'bytes 0-0/10', '0'],
    ['bytes=2-4', 206, 'bytes 2-4/10', '234'],
    ['bytes=7-', 206, 'bytes 7-9/10', '789'],
    ['bytes=8-1000', 206, 'bytes 8-9/10', '89'],
    ['bytes=-3', 206, 'bytes 7-9/10', '789'],
    ['bytes=-1000', 206, 'bytes 0-9/10', content],
    ['bytes=5-99999999999999999999', 206, 'bytes 5-9/10', '56789'],
    ...['bytes=10-', 'bytes=10-20', 'bytes=-0', 'bytes=99999999999999999999-'].map(
      (range) => [range, 416, 'bytes */10', undefined] as const,
    ),
    ...['bytes=0-1,3-4', 'bytes=4-2', 'bytes=-', 'bytes=a-b'].map((range) => [range, 200, undefined, content] as const),
    ...['lines=1-2', '0-1', 'bytes=1-2-3', ''].map((range) => [range, 200, undefined, content] as const),
  ] as const)('the range %j is answered with %i', async (range, expected, contentRange, part) => {
    const { status, headers, text } = await get({ range })
    assert.deepEqual([status, headers['content-range']], [expected, contentRange])
    if (part !== undefined) assert.deepEqual([headers['content-length'], text], [String(part.length), part])
  })

  test('a requester who has the object already is told so', async () => {
    const { etag } = (await get()).headers
    for (const headers of [
      { 'if-none-match': etag! },
      { 'if-none-match': `"other", W/${etag}` },
      { 'if-none-match': '*' },
      { 'if-modified-since': 'Fri, 17 May 2024 10:11:12 GMT' },
      { 'if-modified-since': 'Sat, 18 May 2024 00:00:00 GMT' },
    ]) {
      const { status, body, headers: answered } = await get(headers)
      assert.deepEqual([status, body, answered.etag], [304, undefined, etag], JSON.stringify(headers))
    }
    for (const headers of [
      { 'if-none-match': '"other"' },
      { 'if-none-match': '"other"', 'if-modified-since': 'Sat, 18 May 2024 00:00:00 GMT' },
      { 'if-modified-since': 'Fri, 17 May 2024 10:11:11 GMT' },
      { 'if-modified-since': 'yesterday' },
    ]) {
      assert.equal((await get(headers)).status, 200, JSON.stringify(headers))
    }
  })

  test('a range of a version that is gone is answered with the whole', async () => {
    const { etag } = (await get()).headers
    const range = 'bytes=2-4'
    assert.equal((await get({ range, 'if-range': etag! })).status, 206)
    assert.equal((await get({ range, 'if-range': 'Fri, 17 May 2024 10:11:12 GMT' })).status, 206)
    assert.equal((await get({ range, 'if-range': '"other"' })).status, 200)
    assert.equal((await get({ range, 'if-range': `W/${etag}` })).status, 200)
    assert.equal((await get({ range, 'if-range': 'Fri, 17 May 2024 10:11:13 GMT' })).status, 200)
  })

  test.each([
    ['as long', 'abcdefghij'],
    ['shorter', 'a'],
    ['longer', 'abcdefghijklm'],
  ])('a range of a version that is gone when it is read is answered with the whole of the next one, which is %s', async (_, next) => {
    const { objects } = bucket
    await objects.put('replaced', Buffer.from(content), { contentType: 'image/jpeg' })
    const looks = [await objects.head('replaced')]
    await objects.put('replaced', Buffer.from(next), { contentType: 'image/jpeg' })
    const headers = { range: 'bytes=2-4', 'if-range': `"${looks[0]!.etag}"` }
    const late: DeliverySource['objects'] = {
      head: async (key) => looks.pop() ?? objects.head(key),
      get: (key, range) => objects.get(key, range),
      list: (prefix) => objects.list(prefix),
    }
    const answer = await deliver({ method: 'GET', url: await path('replaced'), headers }, { ...source, objects: late })
    assert.deepEqual([answer.status, answer.headers['content-length'], await read(answer)], [200, String(next.length), next])
  })

  test('forged and expired URLs are forbidden, whatever they ask for', async () => {
    const good = await path()
    const expired = await path(undefined, { expires: now })
    for (const url of [expired, good.replace('photo', 'other'), good.replace('/files', ''), '/files/empty', '/', '/files/%', '']) {
      const { status, headers, body } = await deliver({ method: 'GET', url, headers: {} }, source)
      assert.equal(status, 403, url)
      assert.equal(headers['cache-control'], 'no-store')
      assert.equal(headers['content-security-policy'], "default-src 'none'; style-src 'unsafe-inline'; sandbox")
      assert.equal(typeof body, 'string')
    }
  })

  test('what is not there is 404, and other methods are refused', async () => {
    const missing = await get({}, 'nothing')
    assert.deepEqual([missing.status, missing.headers['cache-control']], [404, 'no-store'])
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const { status, headers } = await deliver({ method, url: await path(), headers: {} }, source)
      assert.deepEqual([status, headers.allow], [405, 'GET, HEAD'])
    }
  })

  test('an object that vanishes between look and read is 404, one that shrinks is delivered as it is', async () => {
    const { objects } = bucket
    const url = await path('moving')
    const put = (text: string) => objects.put('moving', Buffer.from(text), { contentType: 'text/plain' })
    /** What is answered where something changes between look and read. */
    const meanwhile = async (change: () => Promise<unknown>, headers: IncomingHttpHeaders = {}) => {
      await put('long content')
      const get: typeof objects.get = async (...asked) => {
        await change()
        return objects.get(...asked)
      }
      const changing = { head: objects.head.bind(objects), list: objects.list.bind(objects), get }
      return deliver({ method: 'GET', url, headers }, { ...source, objects: changing })
    }
    const shrunk = await meanwhile(() => put('short'), { range: 'bytes=2-8' })
    assert.deepEqual([shrunk.headers['content-range'], await read(shrunk)], ['bytes 2-4/5', 'ort'])
    const outside = await meanwhile(() => put('short'), { range: 'bytes=8-' })
    assert.deepEqual([outside.status, outside.headers['content-range']], [416, 'bytes */5'])
    assert.equal((await meanwhile(() => objects.delete(['moving']))).status, 404)
  })
})

async function read({ body }: DeliveryAnswer): Promise<string> {
  return body instanceof Readable ? textOf(body) : Buffer.from(body ?? '').toString()
}
