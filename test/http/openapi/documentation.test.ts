import assert from 'node:assert/strict'
import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import { test } from 'vitest'
import { settingsAt } from '../../../infra/local/settings.ts'
import { systemClock } from '../../../shared/backends/clock/port.ts'
import type { OpenApiDocument } from '../../../shared/http/openapi/document.ts'
import { documentationHandler } from '../../../shared/http/openapi/documentation.ts'
import { jsonLog } from '../../../shared/log/json-log.ts'
import { defaultSettings } from '../../../shared/settings.ts'
import { apiEvent } from '../../support/api-event.ts'

const BASE_URL = 'http://127.0.0.1'

const kernel = { settings: settingsAt(BASE_URL, defaultSettings), clock: systemClock, log: jsonLog(() => undefined), baseUrl: BASE_URL }

test('documentation that could not be loaded is loaded at the next request, and then no more', async () => {
  let loads = 0
  const handler = documentationHandler(kernel, async () => {
    loads += 1
    if (loads === 1) throw new Error('too many open files')
    return { document: { openapi: '3.1.0' } as OpenApiDocument, files: {} }
  })
  const ask = async () =>
    (await handler(apiEvent({ method: 'GET', path: '/openapi.json', authorization: '' }, '/openapi.json', null))).statusCode
  assert.deepEqual([await ask(), await ask(), await ask(), loads], [500, 200, 200, 2])
})

test('the document is written once for all who ask at an address, and compressed once by each coding that they take', async () => {
  let writings = 0
  const document = {
    openapi: '3.1.0',
    get paths() {
      writings += 1
      return { '/': {} }
    },
  } as OpenApiDocument
  const handler = documentationHandler(kernel, async () => ({ document, files: {} }))
  const ask = async (accepted: string) => {
    const event = apiEvent({ method: 'GET', path: '/openapi.json', authorization: '' }, '/openapi.json', null)
    event.headers['accept-encoding'] = accepted
    const { headers, pieces = [] } = await handler(event)
    return { headers, body: Buffer.concat(pieces), pieces }
  }
  const expected = JSON.stringify({ openapi: '3.1.0', paths: { '/': {} }, servers: [{ url: BASE_URL }] })
  for (let round = 0; round < 3; round++) {
    const plain = await ask('')
    assert.deepEqual([plain.body.toString(), plain.headers?.['Content-Encoding']], [expected, undefined])
    const zipped = await ask('gzip')
    assert.deepEqual([gunzipSync(zipped.body).toString(), zipped.headers?.['Content-Encoding']], [expected, 'gzip'])
    assert.equal(zipped.headers?.Vary, 'Origin, Accept-Encoding')
    assert.equal(zipped.pieces, (await ask('gzip')).pieces)
    assert.equal(zstdDecompressSync((await ask('gzip, zstd')).body).toString(), expected)
  }
  assert.equal(writings, 1)
})
