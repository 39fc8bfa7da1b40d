import assert from 'node:assert/strict'
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest'
import * as z from 'zod'
import { endpoint } from '../../../shared/http/declaration/endpoint.ts'
import { jsonText, withEtag } from '../../../shared/http/declaration/results.ts'
import { tagOf } from '../../../shared/http/kernel/revalidation.ts'
import type { Caller } from '../../../shared/library/access/caller.ts'
import { toCompanyId, toKeyId } from '../../../shared/vocabulary/ids.ts'
import { apiEvent } from '../../support/api-event.ts'
import { type Serving, serve } from '../serving.ts'

/** The data: a text that a test changes, with its version. */
const held = { version: 1, text: 'Möwe' }
let made = 0

const base = {
  summary: 'Test',
  description: 'Of a test.',
  access: 'anyone',
  uses: {},
  returns: z.array(z.object({ text: z.string() })),
} as const

const listTexts = endpoint({
  ...base,
  route: 'GET /texts/{form}',
  params: { form: z.enum(['value', 'text', 'pieces']) },
  query: z.object({ q: z.string().optional() }),
  async handle({ params: { form } }) {
    return withEtag([held.version], async () => {
      made += 1
      const value = [{ text: held.text }]
      if (form === 'value') return value
      const text = JSON.stringify(value)
      return jsonText(form === 'text' ? text : [Buffer.from(text.slice(0, 2)), Buffer.from(text.slice(2))])
    })
  },
})

describe('an answer under a tag', () => {
  let server: Serving
  beforeAll(async () => {
    server = await serve({ 'list-texts': listTexts })
  })
  afterAll(() => server[Symbol.asyncDispose]())
  beforeEach(() => {
    made = 0
  })
  const get = (path: string, etag?: string, method = 'GET') =>
    fetch(server.baseUrl + path, { method, headers: etag === undefined ? {} : { 'If-None-Match': etag } })

  for (const form of ['value', 'text', 'pieces']) {
    test(`is made once for a client who keeps it: ${form}`, async () => {
      const first = await get(`/texts/${form}`)
      const etag = first.headers.get('etag')!
      assert.deepEqual(await first.json(), [{ text: held.text }])
      assert.equal(first.headers.get('content-type'), 'application/json')
      assert.equal(first.headers.get('cache-control'), 'private, no-cache')
      const second = await get(`/texts/${form}`, `"other", ${etag}`)
      assert.deepEqual([second.status, await second.text(), made], [304, '', 1])
      assert.deepEqual([second.headers.get('etag'), second.headers.get('cache-control')], [etag, 'private, no-cache'])
    })
  }

  test('has another tag after a change, and for another request', async () => {
    const tagOf = async (path: string) => (await get(path)).headers.get('etag')
    const before = await tagOf('/texts/text')
    assert.equal(await tagOf('/texts/text'), before)
    held.version += 1
    assert.equal(new Set([before, await tagOf('/texts/text'), await tagOf('/texts/value'), await tagOf('/texts/text?q=a')]).size, 4)
    assert.equal((await get('/texts/text', before!)).status, 200)
  })
})

describe('the tag of an answer', () => {
  const event = apiEvent({ method: 'GET', path: '/texts/text', authorization: '' }, '/texts/{form}', { form: 'text' })
  const key = { pk: '', sk: '', key: 'key', companyId: toCompanyId(1), encryptedSecret: '', grants: [], created: 0 }
  const callerWith = (keyId: number): Caller => ({ kind: 'application', key: { ...key, keyId: toKeyId(keyId) } })

  test('tells what it depends on: version of the service, caller, request, data', () => {
    const tags = [
      tagOf([1, 'a'], event, undefined, 'v1'),
      tagOf([1, 'a'], event, undefined, 'v2'),
      tagOf([1, 'a'], event, callerWith(1), 'v1'),
      tagOf([1, 'a'], event, callerWith(2), 'v1'),
      tagOf([1, 'b'], event, undefined, 'v1'),
      tagOf(['1', 'a'], event, undefined, 'v1'),
      tagOf([1, 'a'], { ...event, pathParameters: { form: 'value' } }, undefined, 'v1'),
    ]
    assert.equal(new Set(tags).size, tags.length)
    assert.equal(tagOf([1, 'a'], event, undefined, 'v1'), tags[0])
  })
})
