import assert from 'node:assert/strict'
import { createConnection } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, test } from 'vitest'
import * as z from 'zod'
import { raw } from '../../../shared/http/declaration/bodies.ts'
import { endpoint } from '../../../shared/http/declaration/endpoint.ts'
import { apiEvent } from '../../support/api-event.ts'
import { handlerOf, type Serving, serve } from '../serving.ts'

const MAX_BYTES = 1_000

const putSubtitles = endpoint({
  route: 'PUT /subtitles/{language}',
  summary: 'Put',
  description: 'Of a test.',
  access: 'anyone',
  uses: {},
  params: { language: z.enum(['da', 'en']) },
  body: raw({ maxBytes: MAX_BYTES, mediaTypes: ['text/vtt', 'application/x-subrip'] }),
  returns: z.object({ bytes: z.number(), hex: z.string(), type: z.string() }),
  handle: async ({ body: { bytes, mediaType } }) => ({ bytes: bytes.length, hex: bytes.toString('hex').slice(0, 20), type: mediaType }),
})

describe('a raw body', () => {
  const endpoints = { 'put-subtitles': putSubtitles }
  let server: Serving
  beforeAll(async () => {
    server = await serve(endpoints)
  })
  afterAll(() => server[Symbol.asyncDispose]())

  const put = async (body: Uint8Array<ArrayBuffer> | string, type: string | undefined, language = 'en') => {
    const headers = type === undefined ? {} : { 'content-type': type }
    const response = await fetch(`${server.baseUrl}/subtitles/${language}`, { method: 'PUT', headers, body })
    return { status: response.status, body: JSON.parse(await response.text()) }
  }

  test('reaches the handler as it was sent, whatever its bytes', async () => {
    const bytes = new Uint8Array([0xff, 0x00, 0xc3, 0x28, 0x7b])
    assert.deepEqual(await put(bytes, 'text/vtt'), { status: 200, body: { bytes: 5, hex: 'ff00c3287b', type: 'text/vtt' } })
    assert.equal((await put(new Uint8Array(MAX_BYTES), 'text/vtt')).body.bytes, MAX_BYTES)
    assert.equal((await put(new Uint8Array(), 'text/vtt')).body.bytes, 0)
  })

  test('that is too large is refused before it is read, with the answer that a function gives', async () => {
    const { status, body } = await put(new Uint8Array(MAX_BYTES + 1), 'text/vtt')
    assert.deepEqual([status, body.code], [413, 'too_large'])
    const event = apiEvent({ method: 'PUT', path: '/subtitles/en', authorization: '' }, '/subtitles/{language}', { language: 'en' })
    for (const [bytes, expected] of [
      [MAX_BYTES, 200],
      [MAX_BYTES + 1, 413],
    ] as const) {
      const headers = { 'content-type': 'text/vtt' }
      const inBase64 = { headers, body: Buffer.alloc(bytes).toString('base64'), isBase64Encoded: true }
      assert.equal((await handlerOf(putSubtitles)({ ...event, ...inBase64 })).statusCode, expected)
    }
  })

  test('without an end is refused once it is too large', async () => {
    const socket = createConnection({ host: '127.0.0.1', port: server.port })
    socket.on('error', () => undefined)
    socket.write(
      'PUT /subtitles/en HTTP/1.1\r\nhost: x\r\ncontent-type: text/vtt\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n',
    )
    for (let n = 0; n < 5; n++) socket.write(`100\r\n${'x'.repeat(256)}\r\n`)
    socket.end('0\r\n\r\n')
    assert.match(await text(socket), /^HTTP\/1\.1 413 /)
  })
})
