import assert from 'node:assert/strict'
import { Agent, request as httpRequest } from 'node:http'
import { describe, it } from 'vitest'
import { startService } from '../../support/service.ts'
import { serviceWithAccounts } from '../../support/service-with-accounts.ts'
import { parseRaw, sendRaw } from './raw-http.ts'

const ORIGIN = 'https://app.example.com'

describe('the single-machine server', async () => {
  const { service } = await serviceWithAccounts()
  const authorization = await service.signIn()

  const get = (path: string, init: RequestInit = {}) =>
    service.request(path, { ...init, headers: { authorization, origin: ORIGIN, ...init.headers } })

  /** Every answer carries these. @returns the parsed body of an error in our shape */
  async function assertOurError(response: Response, status: number): Promise<void> {
    assert.equal(response.status, status)
    assertCommonHeaders((name) => response.headers.get(name))
    assertErrorBody(await response.text(), response.headers.get('x-svc-request-id'))
  }

  function assertCommonHeaders(header: (name: string) => string | null | undefined): void {
    assert.equal(header('access-control-allow-origin'), ORIGIN)
    assert.match(header('vary') ?? '', /Origin/)
    assert.equal(header('access-control-expose-headers'), 'X-Svc-Request-Id, ETag, Retry-After, Idempotency-Replayed')
    assert.equal(header('x-content-type-options'), 'nosniff')
    assert.match(header('x-svc-request-id') ?? '', /^[0-9a-f-]{36}$/)
  }

  function assertErrorBody(body: string, requestId: string | null | undefined): void {
    const error = JSON.parse(body)
    assert.equal(typeof error.message, 'string')
    assert.equal(typeof error.code, 'string')
    assert.equal(error.request_id, requestId)
  }

  it('answers HEAD as GET, without the body', async () => {
    const path = `/folder/${service.demo.folder_id}`
    const [head, whole] = [await get(path, { method: 'HEAD' }), await get(path)]
    assert.equal(head.status, 200)
    assert.equal(head.headers.get('content-length'), whole.headers.get('content-length'))
    assert.equal(await head.text(), '')
    assert.equal((await get('/nothing', { method: 'HEAD' })).status, 404)
  })

  it('survives malformed percent sequences in paths and queries', async () => {
    await assertOurError(await get('/folder/%zz'), 404)
    await assertOurError(await get('/folder/%E0%A4%A'), 404)
    await assertOurError(await get('/folder/%00'), 400)
    assert.equal((await get('/folder?q=%zz%E0%A4%A')).status, 200)
    await assertOurError(await get('/folder?parent=%zz'), 400)
  })

  it('refuses a 10 MB body with 413, whether its length is told or not', async () => {
    const body = Buffer.alloc(10 * 1024 * 1024, ' ')
    await assertOurError(await get('/folder', { method: 'POST', body }), 413)
    const stream = new Blob([body]).stream()
    await assertOurError(await get('/folder', { method: 'POST', body: stream, duplex: 'half' }), 413)
    await assertOurError(await service.request('/nothing', { method: 'POST', body, headers: { origin: ORIGIN } }), 413)
  })

  it('goes on serving a connection on which it refused a body', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const ask = (method: string, path: string, body?: Buffer) =>
      new Promise<{ status: number | undefined; port: number | undefined }>((resolve, reject) => {
        const sent = httpRequest(service.baseUrl + path, { agent, method, headers: { authorization } }, (response) => {
          const { localPort: port } = response.socket
          response.resume().on('end', () => resolve({ status: response.statusCode, port }))
        })
        sent.on('error', reject).end(body)
      })
    const refused = await ask('POST', '/folder', Buffer.alloc(7 * 1024 * 1024, ' '))
    const next = await ask('GET', '/folder')
    agent.destroy()
    assert.equal(refused.status, 413)
    assert.deepEqual(next, { status: 200, port: refused.port })
  })

  it.for([
    ['what is no HTTP', 400, 'NONSENSE'],
    ['headers that are too large', 431, `GET /folder HTTP/1.1\r\nHost: x\r\nX-Large: ${'x'.repeat(20_000)}`],
  ] as const)('answers %s with %i in its own shape', async ([, expected, request]) => {
    const { status, headers, body } = parseRaw(await sendRaw(service.baseUrl, `${request}\r\nOrigin: ${ORIGIN}\r\n\r\n`))
    assert.equal(status, expected)
    assertCommonHeaders((name) => headers.get(name))
    assertErrorBody(body, headers.get('x-svc-request-id'))
  })

  it('uses the brand in headers and schemes', async () => {
    const branded = await startService({ BRAND: 'CBX' })
    try {
      const scheme = await branded.signIn()
      const response = await branded.request('/folder', { headers: { authorization: scheme } })
      assert.match(scheme, /^CBX-/)
      assert.equal(response.status, 200)
      assert.ok(response.headers.get('x-cbx-request-id'))
    } finally {
      await branded.stop()
    }
  })
})
