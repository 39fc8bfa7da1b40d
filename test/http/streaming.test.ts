import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, describe, test } from 'vitest'
import * as z from 'zod'
import { apiClient } from '../../shared/http/client.ts'
import { endpoint } from '../../shared/http/endpoint.ts'
import { openApiDocument } from '../../shared/http/openapi/document.ts'
import { stream } from '../../shared/http/results.ts'
import { NotFound } from '../../shared/library/errors.ts'
import { defaultSettings } from '../../shared/settings.ts'
import { type Serving, serve } from './serving.ts'

const CHUNK = Buffer.alloc(64 * 1024, 'a')

/** The streams that handlers have made, the newest last. */
const made: Readable[] = []

async function* chunks(count: number, failure?: Error) {
  for (let n = 0; n < count; n++) yield CHUNK
  if (failure) throw failure
}

const renderImage = endpoint({
  route: 'GET /image/{kind}',
  summary: 'Render',
  description: 'Of a test.',
  access: 'anyone',
  uses: {},
  params: { kind: z.enum(['whole', 'empty', 'broken', 'dead', 'endless', 'missing', 'failed']) },
  returns: stream('image/png', 'image/webp'),
  refuses: ['not found'],
  async handle({ params: { kind } }) {
    if (kind === 'missing') throw new NotFound('media')
    if (kind === 'failed') throw new Error('it does not work')
    const counts = { whole: 100, empty: 0, broken: 3, dead: 0, endless: Number.POSITIVE_INFINITY }
    const bytes = Readable.from(chunks(counts[kind], kind === 'broken' ? new Error('the decoder died') : undefined), { objectMode: false })
    if (kind === 'dead') bytes.destroy(new Error('the decoder was dead'))
    made.push(bytes)
    return { mediaType: 'image/webp' as const, bytes }
  },
})

describe('an answer that streams', () => {
  const endpoints = { 'render-image': renderImage }
  let server: Serving
  beforeAll(async () => {
    server = await serve(endpoints)
  })
  afterAll(() => server[Symbol.asyncDispose]())
  const get = (kind: string, init?: RequestInit) => fetch(`${server.baseUrl}/image/${kind}`, init)
  const destroyed = async (source: Readable) => {
    while (!source.destroyed) await nextTurn()
  }

  test('arrives whole, with the headers of every answer', async () => {
    const response = await get('whole', { headers: { Origin: 'https://client.example' } })
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('content-type'), 'image/webp')
    assert.equal(response.headers.get('cache-control'), 'no-store')
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
    assert.equal(response.headers.get('access-control-allow-origin'), 'https://client.example')
    assert.match(response.headers.get('x-svc-request-id') ?? '', /^[\w-]{8,}$/)
    const bytes = Buffer.from(await response.arrayBuffer())
    assert.ok(bytes.equals(Buffer.concat(Array(100).fill(CHUNK))))
  })

  test('may be empty', async () => {
    const response = await get('empty')
    assert.deepEqual([response.status, (await response.bytes()).length], [200, 0])
  })

  test('reaches the typed client as bytes', async () => {
    const client = apiClient(endpoints, { baseUrl: server.baseUrl, ...defaultSettings })
    const { status, body } = await client['render-image']({ params: { kind: 'whole' } })
    assert.deepEqual([status, body.length], [200, 100 * CHUNK.length])
  })

  test('that fails before its first byte is an error as everywhere', async () => {
    for (const [kind, status, code] of [
      ['missing', 404, 'media_not_found'],
      ['failed', 500, 'internal_error'],
      ['else', 400, 'invalid_input'],
    ] as const) {
      const response = await get(kind)
      assert.deepEqual([response.status, ((await response.json()) as { code: string }).code], [status, code])
    }
  })

  test('that fails in the middle is cut off, so that nobody takes a part for the whole, and is logged', async () => {
    const response = await get('broken')
    assert.equal(response.status, 200)
    await assert.rejects(response.bytes())
    await assert.rejects(get('dead').then((dead) => dead.bytes()))
    const failures = () => server.log.filter(({ message }) => message === 'the answer broke off')
    while (failures().length < 2) await nextTurn()
    assert.equal(failures()[0]!.id, response.headers.get('x-svc-request-id'))
    assert.match(JSON.stringify(failures()), /the decoder died.*the decoder was dead/)
  })

  test('ends with the client that goes away, which is no failure', async () => {
    const before = server.log.filter(({ level }) => level === 'error').length
    const leaving = new AbortController()
    const response = await get('endless', { signal: leaving.signal })
    const reader = response.body!.getReader()
    await reader.read()
    leaving.abort()
    await reader.read().catch(() => undefined)
    await destroyed(made.at(-1)!)
    assert.equal(server.log.filter(({ level }) => level === 'error').length, before)
    assert.equal((await get('whole')).status, 200)
  })

  test('waits for a client that reads slowly', async () => {
    const response = await get('endless')
    const reader = response.body!.getReader()
    await reader.read()
    const source = made.at(-1)!
    // Nobody reads: what lies between the two fills up, then the source stops.
    let readable = -1
    for (let quiet = 0; quiet < 200; quiet++) {
      await nextTurn()
      if (source.readableLength !== readable) quiet = 0
      readable = source.readableLength
    }
    assert.ok(source.readableLength <= 4 * CHUNK.length)
    await reader.cancel()
    await destroyed(source)
  })

  test('has no body for HEAD, and nothing is read', async () => {
    const response = await get('endless', { method: 'HEAD' })
    assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'image/webp'])
    await destroyed(made.at(-1)!)
  })

  test('stands in the API document with its types', () => {
    const { paths } = openApiDocument(endpoints, defaultSettings)
    const { responses } = paths['/image/{kind}']!.get as { responses: Record<string, { content?: unknown }> }
    const bytes = { schema: { type: 'string', format: 'binary' } }
    assert.deepEqual(responses[200]!.content, { 'image/png': bytes, 'image/webp': bytes })
  })
})
