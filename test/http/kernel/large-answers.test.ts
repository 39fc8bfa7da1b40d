import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { get as httpGet, type IncomingHttpHeaders } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import type { APIGatewayProxyResult } from 'aws-lambda'
import { afterAll, beforeAll, describe, test, vi } from 'vitest'
import * as z from 'zod'
import { endpoint } from '../../../shared/http/declaration/endpoint.ts'
import { jsonText } from '../../../shared/http/declaration/results.ts'
import { COMPRESSED_FROM } from '../../../shared/http/kernel/compression.ts'
import { endpointHandler } from '../../../shared/http/kernel/lambda.ts'
import { defaultSettings } from '../../../shared/settings.ts'
import { apiEvent } from '../../support/api-event.ts'
import { type Serving, serve } from '../serving.ts'

/** Most bytes of a function's answer in JSON, as Lambda's own error says. */
const LAMBDA_LIMIT = 6_291_556
const TEXT = 'Möwe "Jonathan"'

const listTexts = endpoint({
  route: 'GET /texts/{count}',
  summary: 'Test',
  description: 'Of a test.',
  access: 'anyone',
  uses: {},
  params: { count: z.coerce.number() },
  query: z.object({ as: z.enum(['value', 'pieces', 'noise']).optional() }),
  returns: z.array(z.string()),
  askForLess: 'Ask for a part: `count`.',
  async handle({ params: { count }, query }) {
    // Random bytes, which no coding makes smaller.
    if (query.as === 'noise') return [randomBytes(count).toString('base64')]
    const texts = Array<string>(count).fill(TEXT)
    return query.as === 'pieces' ? jsonText(inPieces(Buffer.from(JSON.stringify(texts)))) : texts
  },
})
/** Cut anywhere, also within a character. */
const inPieces = (text: Buffer) => [text.subarray(0, 4), text.subarray(4, 30_000), text.subarray(30_000)]
const bytesOf = (count: number) => Buffer.byteLength(JSON.stringify(Array(count).fill(TEXT)))
/** How many texts make an answer that is just large. */
const LARGE = Math.ceil(COMPRESSED_FROM / (bytesOf(2) - bytesOf(1)))
const decoders = { zstd: zstdDecompressSync, gzip: gunzipSync }

describe('a large answer of one machine', () => {
  let server: Serving
  beforeAll(async () => {
    server = await serve({ 'list-texts': listTexts })
  })
  afterAll(() => server[Symbol.asyncDispose]())
  /** Without fetch, which asks for codings and decodes them. */
  const get = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
    const { promise, resolve, reject } = Promise.withResolvers<{ status?: number; headers: IncomingHttpHeaders; body: Buffer }>()
    httpGet(server.baseUrl + path, { headers, method, agent: false }, async (response) => {
      resolve({ status: response.statusCode, headers: response.headers, body: await buffer(response) })
    }).on('error', reject)
    return promise
  }

  for (const as of ['value', 'pieces']) {
    for (const [accepted, coding] of [
      ['zstd', 'zstd'],
      ['gzip, deflate, br, zstd', 'zstd'],
      ['GZIP;q=0.5', 'gzip'],
      ['zstd; q=0.5, gzip;q=1.0', 'gzip'],
    ] as const) {
      test(`is compressed for who accepts ${accepted}: ${as}`, async () => {
        const { headers, body } = await get(`/texts/${LARGE}?as=${as}`, { 'Accept-Encoding': accepted, Origin: 'https://client.example' })
        assert.equal(headers['content-encoding'], coding)
        assert.equal(headers['content-type'], 'application/json')
        assert.equal(headers.vary, 'Origin, Accept-Encoding')
        assert.equal(headers['content-length'], String(body.length))
        assert.ok(body.length < COMPRESSED_FROM / 2)
        assert.deepEqual(JSON.parse(decoders[coding](body).toString()), Array(LARGE).fill(TEXT))
      })
    }
  }

  test('is sent as it is to all others, of any size', async () => {
    for (const accepted of ['', 'br', 'gzip;q=0, zstd; q=0.000']) {
      const answer = await get(`/texts/${LARGE}`, { 'Accept-Encoding': accepted })
      assert.equal(answer.headers['content-encoding'], undefined)
      assert.equal(answer.headers.vary, 'Origin, Accept-Encoding')
      assert.deepEqual(JSON.parse(answer.body.toString()), Array(LARGE).fill(TEXT))
    }
    const whole = await get('/texts/600000')
    assert.ok(whole.body.length > 2 * LAMBDA_LIMIT)
  })

  test('has one version in every coding, and the same headers without its body', async () => {
    const accepted = ['identity', 'gzip', 'zstd'].map((coding) => ({ 'Accept-Encoding': coding }))
    const tags = new Set<string | undefined>()
    for (const headers of accepted) {
      const [whole, head] = [await get(`/texts/${LARGE}`, headers), await get(`/texts/${LARGE}`, headers, 'HEAD')]
      tags.add(whole.headers.etag)
      for (const name of ['etag', 'content-encoding', 'content-length', 'vary']) assert.equal(head.headers[name], whole.headers[name])
      const known = await get(`/texts/${LARGE}`, { ...headers, 'If-None-Match': whole.headers.etag! })
      assert.deepEqual([known.status, known.body.length, known.headers['content-encoding']], [304, 0, undefined])
      assert.equal(known.headers.vary, whole.headers.vary)
    }
    assert.equal(tags.size, 1)
  })
})

describe('a large answer of a function', () => {
  beforeAll(() => {
    vi.stubEnv('SETTINGS', JSON.stringify(defaultSettings))
    vi.spyOn(process.stdout, 'write').mockImplementation(() => true)
  })
  afterAll(() => {
    vi.unstubAllEnvs()
    vi.restoreAllMocks()
  })
  const ask = async (count: number, accepted?: string, as = 'value') => {
    const event = apiEvent({ method: 'GET', path: `/texts/${count}`, authorization: '' }, '/texts/{count}', { count: String(count) })
    const asked = {
      headers: accepted === undefined ? {} : { 'Accept-Encoding': accepted },
      queryStringParameters: { as },
      multiValueQueryStringParameters: { as: [as] },
    }
    const answer: APIGatewayProxyResult = await Reflect.apply(endpointHandler(listTexts, {}), undefined, [{ ...event, ...asked }])
    const { statusCode, headers, body, isBase64Encoded } = answer
    const content = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8')
    return { statusCode, headers, content, size: Buffer.byteLength(JSON.stringify(answer)) }
  }

  test('is compressed for who accepts it, in base64', async () => {
    for (const as of ['value', 'pieces']) {
      for (const coding of ['zstd', 'gzip'] as const) {
        const { statusCode, headers, content } = await ask(600_000, coding, as)
        assert.deepEqual([statusCode, headers?.['Content-Encoding']], [200, coding])
        assert.equal(JSON.parse(decoders[coding](content).toString()).length, 600_000)
      }
    }
  })

  test('that is too large is 400 with what to ask for, however its bytes are counted', async () => {
    for (const as of ['value', 'pieces']) {
      // Each quote takes two bytes more.
      const most = Math.floor((LAMBDA_LIMIT - 16 * 1024 - 10) / Buffer.byteLength(JSON.stringify(`${JSON.stringify(TEXT)},`).slice(1, -1)))
      const fits = await ask(most, undefined, as)
      assert.equal(fits.statusCode, 200)
      assert.ok(fits.size <= LAMBDA_LIMIT && fits.size > LAMBDA_LIMIT - 32 * 1024, String(fits.size))
      const refused = await ask(most + 1, undefined, as)
      assert.equal(refused.statusCode, 400)
      const { message, code } = JSON.parse(refused.content.toString())
      assert.equal(code, 'answer_too_large')
      assert.equal(message, 'The answer is larger than 6 MB. Ask for a part: `count`. It may fit where gzip is accepted.')
      assert.deepEqual([refused.headers?.ETag, refused.headers?.['Cache-Control']], [undefined, 'no-store'])
    }
  })

  test('that is too large in spite of its coding is 400 too', async () => {
    const fits = await ask(4_600_000, 'gzip', 'noise')
    assert.deepEqual([fits.statusCode, fits.headers?.['Content-Encoding']], [200, 'gzip'])
    const refused = await ask(4_800_000, 'gzip', 'noise')
    assert.deepEqual([refused.statusCode, refused.headers?.['Content-Encoding']], [400, undefined])
    assert.equal(JSON.parse(refused.content.toString()).message, 'The answer is larger than 6 MB. Ask for a part: `count`.')
  })
})
