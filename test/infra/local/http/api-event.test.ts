import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { describe, it } from 'vitest'
import { sourceAddress, targetOf, toApiEvent } from '../../../../infra/local/http/api-event.ts'
import { router } from '../../../../infra/local/http/router.ts'
import { declaredRoute, type Route } from '../../../../shared/http/declaration/route.ts'
import type { ApiHandler } from '../../../../shared/http/kernel/kernel.ts'
import { bodyOf } from '../../../../shared/http/protocol/exchange.ts'
import { defaultSettings } from '../../../../shared/settings.ts'

interface Given {
  method?: string
  body?: Buffer<ArrayBuffer>
  headers?: Record<string, string[]>
}

function messageOf({ method = 'GET', headers = {}, peer = '::ffff:192.0.2.7' }: Given & { peer?: string }): IncomingMessage {
  return {
    method,
    headersDistinct: headers,
    rawHeaders: Object.entries(headers).flatMap(([name, values]) => values.flatMap((value) => [name, value])),
    socket: { remoteAddress: peer },
  } as unknown as IncomingMessage
}

function event(url: string, { body = Buffer.alloc(0), ...given }: Given = {}) {
  const { query } = targetOf(url)
  const message = messageOf(given)
  return toApiEvent({ message, requestId: 'id', query, resource: '/x', pathParameters: null, body, sourceIp: '192.0.2.7' })
}

describe('the event of a request', () => {
  it('has queries decoded, every value and the last one of each name', () => {
    const { multiValueQueryStringParameters: all, queryStringParameters: last } = event('/x?a=1&&a=2&b%5B%5D=%C3%A4+b&c')
    assert.deepEqual({ ...all }, { a: ['1', '2'], 'b[]': ['ä b'], c: [''] })
    assert.deepEqual({ ...last }, { a: '2', 'b[]': 'ä b', c: '' })
  })

  // A copy of all values for each further one takes more than a minute here.
  it('keeps every value of a name that is repeated fifty thousand times, in order', () => {
    const values = Array.from({ length: 50_000 }, (_, index) => String(index))
    const { multiValueQueryStringParameters: all, queryStringParameters: last } = event(
      `/x?${values.map((value) => `a=${value}`).join('&')}`,
    )
    assert.deepEqual(all?.a, values)
    assert.equal(last?.a, '49999')
  })

  it('has the last value of a repeated header, by its name in lower case, the bytes of a body, and null for no query', () => {
    const body = Buffer.from([0xff, 0xd8])
    const made = event('/x', { body, headers: { 'X-A': ['1', '2'] } })
    assert.deepEqual({ ...made.headers }, { 'x-a': '2' })
    assert.deepEqual([made.multiValueQueryStringParameters, made.queryStringParameters], [null, null])
    assert.deepEqual(bodyOf(made), body)
    assert.equal(bodyOf(event('/x')).length, 0)
  })
})

describe('the address of a client', () => {
  const address = (given: Given & { peer?: string }, behindProxy = true) => sourceAddress(messageOf(given), behindProxy)

  it('is that of the socket, never one of a header', () => {
    assert.equal(address({ headers: { 'x-forwarded-for': ['203.0.113.1'] } }, false), '192.0.2.7')
  })

  it('is what a proxy on this machine says last, where there is one', () => {
    const headers = { 'x-forwarded-for': ['198.51.100.66, 203.0.113.1'] }
    assert.equal(address({ headers, peer: '127.0.0.1' }), '203.0.113.1')
    assert.equal(address({ headers, peer: '::1' }), '203.0.113.1')
    assert.equal(address({ headers }), '192.0.2.7', 'who comes from elsewhere is no proxy of ours')
    assert.equal(address({ peer: '127.0.0.1' }), '127.0.0.1')
  })
})

describe('the router', () => {
  const noted: ApiHandler = async () => ({ statusCode: 200, body: '' })
  const fallback: ApiHandler = async () => ({ statusCode: 404, body: '' })
  const routes: Route[] = ['GET /folder', 'GET /folder/{id}', 'POST /folder/{id}/tags/purge', 'GET /files/{path+}']
  const endpoints = Object.fromEntries(routes.map((route) => [route, { route: declaredRoute(route) }]))
  const find = router(endpoints, defaultSettings, () => noted, fallback)
  const params = (method: string, path: string) => find(method, path).pathParameters

  it('gives path parameters decoded, under the names of the route', () => {
    assert.deepEqual(params('GET', '/folder/a%2Fb%20c+d'), { id: 'a/b c+d' })
    assert.deepEqual(params('HEAD', '/folder/7/'), { id: '7' })
    assert.deepEqual(params('GET', '/files/a/b%2Fc'), { path: 'a/b/c' })
    assert.equal(params('GET', '/folder/'), null)
    assert.equal(find('POST', '/folder/7/tags/purge').resource, '/folder/{id}/tags/purge')
  })

  it('takes a fixed path before a parameter, whatever the method', () => {
    const beside = { one: { route: declaredRoute('GET /media/{id}') }, fixed: { route: declaredRoute('POST /media/exists') } }
    const find = router(beside, defaultSettings, () => noted, fallback)
    assert.equal(find('POST', '/media/exists').resource, '/media/exists')
    for (const path of ['/media/exists', '/media/exists/', '//media//exists']) assert.equal(find('GET', path).handler, fallback, path)
    assert.equal(find('GET', '/media/other').resource, '/media/{id}')
  })

  it('sends what no route matches to the fallback', () => {
    for (const path of ['/', '', '*', '/FOLDER', '/folder/%zz', '/folder/%ff', '/folder/1/2', `/folder/${'1'.repeat(20_000)}`])
      assert.equal(find('GET', path).handler, fallback, path)
    for (const path of ['/folder/', '/folder//', '//folder']) assert.equal(find('GET', path).handler, noted, path)
    assert.equal(find('DELETE', '/folder').handler, fallback)
    assert.equal(find('NONSENSE', '/folder').handler, fallback)
  })
})
