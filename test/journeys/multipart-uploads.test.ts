import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { describe, test, vi } from 'vitest'
import { elsewhere } from '../support/service.ts'
import { serviceWithAccounts } from '../support/service-with-accounts.ts'
import { imported, putParts } from '../support/uploading.ts'

const MiB = 1024 ** 2
const md5Of = (bytes: Uint8Array) => createHash('md5').update(bytes).digest('hex')

describe('uploads in parts', async () => {
  const { service, person, accounts } = await serviceWithAccounts()
  const client = await service.client()
  const folder = service.demo.folder_id

  const begun = async (bytes: number, more: { md5?: string; filename?: string } = {}) => {
    const answer = await client['begin-multipart-upload']({ body: { folder, filename: 'film.bin', bytes, ...more } })
    assert.equal(answer.status, 200)
    return answer.body
  }
  const state = async (uploadId: string) => (await client['get-multipart-upload']({ params: { uploadId } })).body
  const complete = (uploadId: string, md5?: string) =>
    client['complete-multipart-upload']({ params: { uploadId }, body: md5 === undefined ? {} : { md5 } })
  /** A request that may be refused, as programs see it. */
  const refused = async (answer: Promise<{ status: number; body: unknown }>) => {
    const { status, body } = await answer
    return { status, ...(body as { code: string; parts?: number[] }) }
  }

  test('from the parts to the download, byte for byte', async () => {
    const bytes = randomBytes(17 * MiB)
    const { upload_id: id, part_bytes, parts, expires } = await begun(bytes.length, { filename: 'C:\\films\\café.bin' })
    assert.deepEqual({ part_bytes, parts }, { part_bytes: 8 * MiB, parts: 3 })
    assert.match(expires, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    assert.deepEqual(await state(id), { state: 'open', bytes: bytes.length, part_bytes, received: [] })

    await putParts(client, id, part_bytes, bytes, [3, 1])
    const early = await refused(complete(id))
    assert.deepEqual([early.status, early.code, early.parts], [409, 'parts_missing', [2]])
    await putParts(client, id, part_bytes, bytes, [2])
    const { received } = await state(id)
    assert.deepEqual(
      received.map(({ part, bytes }) => [part, bytes]),
      [1, 2, 3].map((part) => [part, part === 3 ? MiB : 8 * MiB]),
    )
    assert.equal(received[0]!.etag, md5Of(bytes.subarray(0, 8 * MiB)))

    const [one, other] = await Promise.all([complete(id, md5Of(bytes).toUpperCase()), complete(id)])
    assert.deepEqual([one.status, other.status, other.body], [200, 200, one.body])
    const { media_id } = one.body
    assert.deepEqual((await complete(id)).body, { media_id })
    assert.deepEqual(await state(id), { state: 'finalized', bytes: bytes.length, part_bytes, received: [], media_id })

    const media = await imported(client, media_id)
    assert.deepEqual([media.filename, media.file_md5], ['café.bin', md5Of(bytes)])
    const { body: location } = await client['get-download-location']({ params: { id: media_id } })
    assert.ok(Buffer.from(await (await fetch(location.url)).arrayBuffer()).equals(bytes))
    assert.deepEqual((await begun(bytes.length, { md5: md5Of(bytes).toUpperCase() })).existing, [media_id])
    assert.deepEqual((await begun(1, { md5: md5Of(Buffer.from('nobody has it')) })).existing, [])
    assert.equal((await begun(1)).existing, undefined)
    // Not as a form's upload either, whose id is all the authorization that it needs.
    assert.equal((await client['finalize-upload']({ params: { uploadId: id } })).status, 404)
  })

  test('an empty file is one empty part', async () => {
    const { upload_id: id, part_bytes, parts } = await begun(0)
    assert.equal(parts, 1)
    assert.equal((await refused(complete(id))).code, 'parts_missing')
    await putParts(client, id, part_bytes, new Uint8Array())
    const { media_id } = (await complete(id, md5Of(Buffer.alloc(0)))).body
    assert.equal((await imported(client, media_id)).file_md5, md5Of(Buffer.alloc(0)))
  })

  test('of a part that is sent twice the last one counts', async () => {
    const [wrong, right] = [randomBytes(9 * MiB), randomBytes(9 * MiB)]
    const { upload_id: id, part_bytes } = await begun(right.length, { md5: md5Of(right) })
    await putParts(client, id, part_bytes, wrong)
    await putParts(client, id, part_bytes, right, [1])
    const answer = await refused(complete(id))
    assert.deepEqual([answer.status, answer.code], [422, 'checksum_mismatch'])
    assert.equal((await state(id)).state, 'open')
    await putParts(client, id, part_bytes, right, [2])
    const { media_id } = (await complete(id)).body
    assert.equal((await imported(client, media_id)).file_md5, md5Of(right))
  })

  test('a URL takes exactly the bytes of its part', async () => {
    const bytes = randomBytes(8 * MiB + 2)
    const { upload_id: id, part_bytes } = await begun(bytes.length)
    const { urls } = (await client['get-part-urls']({ params: { uploadId: id }, body: { parts: [1, 2] } })).body
    const sent = async (part: number, body: Uint8Array | ReadableStream) => {
      const init = { method: 'PUT', body, duplex: 'half', headers: urls[part - 1]!.headers } as RequestInit
      return (await fetch(urls[part - 1]!.url, init)).status
    }
    // As S3 does: the length is one of the signed headers, and another length is another signature.
    for (const size of [0, 1, 3, part_bytes]) assert.equal(await sent(2, randomBytes(size)), 403, `${size} bytes for a part of two`)
    for (const size of [2, part_bytes - 1]) assert.equal(await sent(1, randomBytes(size)), 403, `${size} bytes for a whole part`)
    assert.notEqual(await sent(2, new Blob([randomBytes(2)]).stream()), 200, 'without a length')
    assert.deepEqual((await state(id)).received, [])
    await putParts(client, id, part_bytes, bytes)
    const { media_id } = (await complete(id, md5Of(bytes))).body
    assert.equal((await imported(client, media_id)).file_disksize, bytes.length)
  })

  test('waits for a part that arrives, though it is the one that is missing', elsewhere, async () => {
    const { upload_id: uploadId } = await begun(10)
    const [part] = (await client['get-part-urls']({ params: { uploadId }, body: { parts: [1] } })).body.urls
    const sending = request(part!.url, { method: 'PUT', headers: { 'content-length': 10 } })
    sending.write('five b')
    const inFlight = await vi.waitFor(async () => {
      const answer = await refused(complete(uploadId))
      assert.equal(answer.code, 'part_in_flight')
      return answer
    }, 60_000)
    assert.equal(inFlight.status, 409)
    sending.end('ytes')
    const [answer] = (await once(sending, 'response')) as [IncomingMessage]
    assert.equal(answer.statusCode, 200)
    assert.equal((await complete(uploadId)).status, 200)
  })

  test('what is given up is gone, and nobody else has it', async () => {
    const { upload_id: id } = await begun(10)
    const other = await person()
    const params = { uploadId: id }
    for (const caller of [other.client, (await person({ admin: true })).client]) {
      assert.equal((await caller['get-multipart-upload']({ params })).status, 404)
      assert.equal((await caller['get-part-urls']({ params, body: { parts: [1] } })).status, 404)
      assert.equal((await caller['complete-multipart-upload']({ params, body: {} })).status, 404)
      assert.equal((await caller['abort-multipart-upload']({ params })).status, 404)
    }
    const [url] = (await client['get-part-urls']({ params, body: { parts: [1] } })).body.urls
    assert.deepEqual((await client['abort-multipart-upload']({ params })).body, {})
    assert.equal((await client['get-multipart-upload']({ params })).status, 404)
    assert.equal((await refused(complete(id))).status, 404)
    assert.equal((await fetch(url!.url, { method: 'PUT', body: 'ten bytes!' })).status, 404)
  })

  test('it needs the right to upload, at the start and again at the end', async () => {
    const member = await person()
    const begin = () => member.client['begin-multipart-upload']({ body: { folder, filename: 'a', bytes: 1 } })
    assert.equal((await begin()).status, 404)
    await accounts.grant(folder, member.userId, ['READ'])
    assert.equal((await begin()).status, 403)
    await accounts.grant(folder, member.userId, ['READ', 'WRITE'])
    const { upload_id: uploadId, part_bytes } = (await begin()).body
    await putParts(member.client, uploadId, part_bytes, Buffer.from('a'))
    await accounts.grant(folder, member.userId, ['READ'])
    assert.equal((await member.client['complete-multipart-upload']({ params: { uploadId }, body: {} })).status, 403)

    const { body: doomed } = await client['create-folder']({ body: { name: 'Doomed' } })
    const { upload_id: orphan, part_bytes: size } = (
      await client['begin-multipart-upload']({ body: { folder: doomed.id, filename: 'a', bytes: 1 } })
    ).body
    await putParts(client, orphan, size, Buffer.from('a'))
    await client['delete-folder']({ params: { id: doomed.id } })
    assert.equal((await complete(orphan)).status, 404)
  })

  test('files that are too large, and parts that there are not, are refused', async () => {
    const large = await refused(client['begin-multipart-upload']({ body: { folder, filename: 'a', bytes: 200 * 1024 ** 3 } }))
    assert.deepEqual([large.status, large.code], [413, 'too_large'])
    const { upload_id: uploadId } = await begun(10)
    const urls = (parts: number[]) => client['get-part-urls']({ params: { uploadId }, body: { parts } })
    for (const parts of [[2], [0], [], Array.from({ length: 101 }, () => 1)]) assert.equal((await urls(parts)).status, 400)
    for (const bytes of [-1, 1.5]) {
      assert.equal((await client['begin-multipart-upload']({ body: { folder, filename: 'a', bytes } })).status, 400)
    }
  })

  test('a URL is for its part, and for nobody who changes it', async () => {
    const { upload_id: uploadId } = await begun(10)
    const [part] = (await client['get-part-urls']({ params: { uploadId }, body: { parts: [1] } })).body.urls
    const changed = part!.url.replace(/([?&](?:part|partNumber)=)1/, '$12')
    assert.notEqual(changed, part!.url)
    assert.equal((await fetch(changed, { method: 'PUT', body: 'ten bytes!' })).status, 403)
    const put = await fetch(part!.url, { method: 'PUT', body: 'ten bytes!', headers: { origin: 'https://client.example' } })
    assert.equal(put.status, 200)
    assert.ok(['https://client.example', '*'].includes(put.headers.get('access-control-allow-origin')!))
    assert.match(put.headers.get('access-control-expose-headers') ?? '', /etag/i)
    assert.equal(put.headers.get('etag'), `"${md5Of(Buffer.from('ten bytes!'))}"`)
  })
})
