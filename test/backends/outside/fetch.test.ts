import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createSocketServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, onTestFinished, test } from 'vitest'
import { outsideAddresses } from '../../../shared/backends/outside/addresses.ts'
import {
  AddressRefused,
  AnswerTooLarge,
  type OutsideOptions,
  type OutsideRequest,
  outsideFetch,
} from '../../../shared/backends/outside/fetch.ts'
import { listening } from '../../support/listening.ts'
import { loopbackSpellings, refusedAddresses, urlHost } from '../../support/network-addresses.ts'

/** A `fetch` for hosts that this test names. */
function opened(options: OutsideOptions) {
  const send = outsideFetch({ ...options, maxBytes: 1000 })
  return (address: string, request: Partial<OutsideRequest> = {}) => send(address, { from: 'test', ...request })
}

describe('requests to hosts outside', () => {
  const fetchLoopback = opened({ permits: outsideAddresses({ allowed: ['127.0.0.0/8', '::1/128'] }) })
  const fetchPublic = opened({ permits: outsideAddresses() })

  async function server(answer: RequestListener): Promise<number> {
    const { port, stop } = await listening(createServer(answer))
    onTestFinished(stop)
    return port
  }

  test('a request is sent and answered as by fetch', async () => {
    const port = await server(async (request, response) => {
      const body = `${request.method} ${request.url} ${request.headers.accept} ${await text(request)}`
      response.writeHead(201, { 'set-cookie': ['a=1', 'b=2'] }).end(body)
    })
    for (const host of ['127.0.0.1', 'localhost']) {
      const answer = await fetchLoopback(`http://${host}:${port}/a?b=c`, {
        method: 'POST',
        headers: { accept: 'text/plain' },
        body: new URLSearchParams({ d: 'e f' }),
      })
      assert.deepEqual([answer.status, await answer.text()], [201, 'POST /a?b=c text/plain d=e+f'])
      assert.deepEqual(answer.headers.getSetCookie(), ['a=1', 'b=2'])
    }
  })

  test('addresses that are not permitted get no request, by name or written out', async () => {
    let requests = 0
    const port = await server((_, response) => response.end(`${requests++}`))
    for (const host of ['localhost', ...loopbackSpellings, ...refusedAddresses.map(urlHost)]) {
      await assert.rejects(fetchPublic(`http://${host}:${port}/`), AddressRefused, host)
    }
    for (const address of refusedAddresses) {
      const family = address.includes(':') ? 6 : 4
      const resolve = async () => ['8.8.8.8', address].map((each) => ({ address: each, family }))
      const fetchNamed = opened({ permits: outsideAddresses(), resolve })
      await assert.rejects(fetchNamed(`http://named.example.com:${port}/`), AddressRefused, address)
    }
    assert.equal(requests, 0)
  })

  test('a redirect is not followed', async () => {
    const port = await server((_, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end())
    assert.equal((await fetchLoopback(`http://127.0.0.1:${port}/`)).status, 302)
  })

  test('a name is looked up once, and the connection goes to what was judged', async () => {
    const port = await server((_, response) => response.end('here'))
    const answers = ['127.0.0.1', '10.0.0.1']
    let asked = 0
    const resolve = async () => [{ address: answers[asked++]!, family: 4 }]
    const fetchRebinding = opened({ permits: outsideAddresses({ allowed: ['127.0.0.0/8'] }), resolve })
    assert.equal(await (await fetchRebinding(`http://rebinding.example.com:${port}/`)).text(), 'here')
    await assert.rejects(fetchRebinding(`http://rebinding.example.com:${port}/`), AddressRefused)
    assert.equal(asked, 2)
  })

  test('an answer that switches to another protocol fails', async () => {
    const socket = createSocketServer((peer) => {
      peer.once('data', () => peer.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: other\r\n\r\n'))
      peer.on('error', () => undefined)
    })
    const { url, stop } = await listening(socket)
    onTestFinished(stop)
    await assert.rejects(fetchLoopback(url), { code: 'ECONNRESET' })
  })

  test('an answer that is too large, or never ends, is given up', async () => {
    const large = await server((_, response) => response.end('x'.repeat(1001)))
    await assert.rejects(fetchLoopback(`http://127.0.0.1:${large}/`), AnswerTooLarge)
    const silent = await server((_, response) => response.writeHead(200).write('x'))
    const signal = AbortSignal.timeout(50)
    await assert.rejects(fetchLoopback(`http://127.0.0.1:${silent}/`, { signal }), { name: 'TimeoutError' })
    const mute = await server(() => undefined)
    await assert.rejects(fetchLoopback(`http://127.0.0.1:${mute}/`, { signal: AbortSignal.timeout(50) }), { name: 'TimeoutError' })
  })
})
