import assert from 'node:assert/strict'
import { createServer, type IncomingMessage } from 'node:http'
import { createServer as createSocketServer, type Server, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, onTestFinished, test } from 'vitest'
import { openWebhookTargets, type TargetOptions } from '../../../shared/backends/webhooks/http.ts'
import type { CompanyId } from '../../../shared/vocabulary/ids.ts'
import { hostileAnswers } from '../../support/hostile-answers.ts'
import { listening } from '../../support/listening.ts'
import { RunningClock } from '../../support/test-clock.ts'
import { until } from '../../support/until.ts'

const sent = { companyId: 1 as CompanyId, headers: { 'webhook-id': '1-1' }, body: '{"type":"test"}' }
const here = { plainHttp: true, allowed: ['127.0.0.0/8', '::1/128'] }

describe('a webhook target', () => {
  async function open(server: Server): Promise<{ url: string }> {
    server.on('connection', (socket) => socket.on('error', () => undefined))
    const { url, stop } = await listening(server)
    onTestFinished(stop)
    return { url: `${url}/hook?a=b` }
  }
  /** A receiver that writes bytes of its own, once a request comes. */
  const raw = (answer: (socket: Socket) => void) => open(createSocketServer((socket) => socket.once('data', () => answer(socket))))

  test('gets the body with its headers', async () => {
    let got: (Pick<IncomingMessage, 'method' | 'url' | 'headers'> & { body: string }) | undefined
    const { url } = await open(
      createServer(async (request, response) => {
        const { method, url, headers } = request
        got = { method, url, headers, body: await text(request) }
        response.writeHead(204).end()
      }),
    )
    const { milliseconds, ...answer } = await openWebhookTargets(here).post(url, sent)
    assert.deepEqual(answer, { status: 204, bytes: 0 })
    assert.ok(Number.isInteger(milliseconds))
    assert.equal(got?.method, 'POST')
    assert.equal(got.url, '/hook?a=b')
    assert.equal(got.body, sent.body)
    assert.equal(got.headers['webhook-id'], '1-1')
    assert.equal(got.headers['content-type'], 'application/json')
    assert.equal(got.headers['content-length'], String(sent.body.length))
  })

  test('that redirects is not followed', async () => {
    let visits = 0
    const { url } = await open(
      createServer((_, response) => {
        visits++
        response.writeHead(307, { location: '/elsewhere' }).end('there')
      }),
    )
    const { status, bytes, error } = await openWebhookTargets(here).post(url, sent)
    assert.deepEqual({ status, bytes, error, visits }, { status: 307, bytes: 5, error: undefined, visits: 1 })
  })

  test('that asks for patience says how long', async () => {
    const { url } = await open(createServer((_, response) => response.writeHead(503, { 'retry-after': '120' }).end()))
    const { status, retryAfter } = await openWebhookTargets(here).post(url, sent)
    assert.deepEqual({ status, retryAfter }, { status: 503, retryAfter: '120' })
  })

  test('that answers 100 MB is read a little', async () => {
    const { url } = await open(createServer((_, response) => hostileAnswers['sends 100 MB'](response)))
    const { status, bytes, error } = await openWebhookTargets(here).post(url, sent)
    assert.deepEqual({ status, error }, { status: 200, error: undefined })
    assert.ok(bytes >= 64 * 1024 && bytes < 1_000_000, String(bytes))
  })

  test.each<[how: string, error: string | undefined, answer: (socket: Socket) => void]>([
    ['closes in the middle of its headers', undefined, (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Le')],
    ['closes in the middle of its body', 'ECONNRESET', (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nfew')],
    ['has endless headers', 'HPE_HEADER_OVERFLOW', (socket) => socket.write(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}\r\n`)],
  ])('that %s fails', async (_, expected, answer) => {
    const { url } = await raw(answer)
    const { error } = await openWebhookTargets(here).post(url, sent)
    assert.ok(error && (expected === undefined || error === expected), error)
  })

  test('that hangs, or trickles headers or body, or whose name is not told, fails after its time', async () => {
    let trickled = 0
    const trickling = (start: string, piece: string) =>
      raw((socket) => {
        socket.write(start)
        const timer = setInterval(() => socket.write(piece, () => trickled++), 20)
        socket.on('close', () => clearInterval(timer))
      })
    const receivers = [
      await raw(() => undefined),
      await trickling('HTTP/1.1 200 OK\r\n', 'X: x\r\n'),
      await trickling('HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n', 'x'),
    ]
    const clock = new RunningClock()
    const targets = openWebhookTargets({ ...here, clock })
    const silent = openWebhookTargets({ ...here, clock, resolve: () => new Promise(() => undefined) })
    const posted = Promise.all([...receivers.map(({ url }) => targets.post(url, sent)), silent.post('http://silent.example.com/', sent)])
    await until(() => trickled > 20)
    clock.advance(15)
    const answers = await posted
    assert.deepEqual(
      answers.map(({ status, error }) => ({ status, error })),
      [undefined, undefined, 200, undefined].map((status) => ({ status, error: 'timeout' })),
    )
  })

  test('is refused if one of its addresses is not public', async () => {
    let visits = 0
    const { url } = await open(createServer((_, response) => response.end(String(visits++))))
    const { port } = new URL(url)
    const post = (host: string, resolve?: TargetOptions['resolve']) =>
      openWebhookTargets({ plainHttp: true, ...(resolve && { resolve }) }).post(`http://${host}:${port}/`, sent)
    for (const address of ['10.1.2.3', '::ffff:127.0.0.1']) {
      const named = async () => [
        { address: '8.8.8.8', family: 4 },
        { address, family: address.includes(':') ? 6 : 4 },
      ]
      assert.equal((await post('target.example.com', named)).error, 'address_refused', address)
    }
    // Written in the address, so that no name is looked up, and of the hosts file.
    for (const host of ['127.0.0.1', 'localhost']) assert.equal((await post(host)).error, 'address_refused', host)
    assert.equal(visits, 0)
  })

  test.each([
    ['https://hooks.example.com/a?b=c', undefined],
    ['https://hooks.example.com:8443/', undefined],
    ['http://hooks.example.com/', 'must be an https address'],
    ['ftp://hooks.example.com/', 'must be an https address'],
    ['nonsense', 'must be an https address'],
    ['https://hooks.example.com:444/', 'must have the port 443 or 8443'],
    ['https://user@hooks.example.com/', 'must hold no user information'],
    ['https://:secret@hooks.example.com/', 'must hold no user information'],
    ['https://8.8.8.8/', undefined],
    ['https://2130706433/', 'must not be in a private or reserved network'],
    ['https://[fd00::1]/', 'must not be in a private or reserved network'],
  ] as const)('may be %s: %s', (url, refusal) => assert.equal(openWebhookTargets().refusal(url), refusal))

  test('of one machine may be plain, at any port, in networks that are allowed', () => {
    const { refusal } = openWebhookTargets({ plainHttp: true, allowed: ['10.1.0.0/16', 'fd00::/8'] })
    for (const url of ['http://hooks.example.com:1234/', 'https://hooks.example.com:444/', 'http://10.1.2.3/', 'http://[fd00::1]:90/']) {
      assert.equal(refusal(url), undefined, url)
    }
    for (const url of ['http://10.2.0.1/', 'http://[::1]/']) {
      assert.equal(refusal(url), 'must not be in a private or reserved network', url)
    }
    assert.equal(refusal('ftp://hooks.example.com/'), 'must be an http or https address')
  })
})
