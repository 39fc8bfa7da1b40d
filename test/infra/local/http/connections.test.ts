import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, test, vi } from 'vitest'
import { CLIENT_LIMITS } from '../../../../infra/local/http/client-limits.ts'
import { type HttpServer, listen } from '../../../../infra/local/http/http-server.ts'
import type { SlotLimits } from '../../../../shared/library/concurrency/source-slots.ts'

type Serving = Awaited<ReturnType<typeof startServing>>

/** A server that answers `/` at once, `/large` with a megabyte, and anything else when it is let go on. */
async function startServing(connections: SlotLimits) {
  const limits = { ...CLIENT_LIMITS, connections }
  const server = await listen({ host: '127.0.0.1', port: 0, brand: 'SVC', overTls: false, limits })
  const { promise: released, resolve: goOn } = Promise.withResolvers<void>()
  const begun: (string | undefined)[] = []
  server.serve(async ({ url }, response) => {
    if (url !== '/') begun.push(url)
    if (url !== '/' && url !== '/large') await released
    response.end(url === '/large' ? `answered${' '.repeat(1024 ** 2)}` : 'answered')
  })
  // `begun` has the addresses of requests that wait, or did.
  return { ...server, goOn, begun, waiting: (count: number) => vi.waitUntil(() => begun.length >= count, { timeout: 60_000, interval: 1 }) }
}

async function serving(connections: SlotLimits, check: (server: Serving) => Promise<void>): Promise<void> {
  const server = await startServing(connections)
  try {
    await check(server)
  } finally {
    server.goOn()
    await server.close(0)
  }
}

type Client = Awaited<ReturnType<typeof open>>

const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`

async function open({ port }: HttpServer) {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  let text = ''
  let answered = 0
  socket.setEncoding('latin1').on('data', (some: string) => {
    const seen = text.slice(-7) + some
    answered += seen.split('answered').length - 1
    // The end of a long text is enough for what comes next.
    text = (text + some).slice(-10_000)
  })
  socket.on('error', () => undefined)
  const ended = new Promise<string>((resolve) => socket.once('close', () => resolve(text)))
  return {
    socket,
    /** Everything that came, once the server has ended the connection. */
    ended,
    ask: (path: string) => void socket.write(request(path)),
    async answers(count: number) {
      while (answered < count && !socket.destroyed) await Promise.race([arrival(socket), ended])
    },
  }
}

const arrival = (socket: Socket) => new Promise((resolve) => socket.once('data', resolve))

/** So that the server has seen what others did before. */
async function askAndAnswer(server: HttpServer): Promise<Client> {
  const client = await open(server)
  client.ask('/')
  await client.answers(1)
  return client
}

const isOpen = ({ socket }: Client) => !socket.destroyed

describe('connections of the single-machine server', () => {
  for (const [name, limits] of [
    ['one source has all of its share', { total: 100, perSource: 3 }],
    ['all are taken', { total: 3, perSource: 100 }],
  ] as const) {
    test(`when ${name}, the connection that was unused for longest gives way`, () =>
      serving(limits, async (server) => {
        const first = await askAndAnswer(server)
        const [second, third] = [await askAndAnswer(server), await askAndAnswer(server)]
        first.ask('/')
        await first.answers(2)
        const fourth = await askAndAnswer(server)
        await second.ended
        assert.deepEqual([first, third, fourth].map(isOpen), [true, true, true])
      }))

    test(`when ${name}, a connection without a whole request gives way, one with a running request never`, () =>
      serving(limits, async (server) => {
        const running = [await open(server), await open(server)]
        for (const each of running) each.ask('/wait')
        await server.waiting(2)
        const slow = await open(server)
        slow.socket.write('GET /wait HTTP/1.1\r\nX-Slow: ')
        const last = await askAndAnswer(server)
        assert.equal(await slow.ended, '')
        last.ask('/wait')
        await server.waiting(3)
        const refused = await open(server)
        refused.ask('/')
        assert.equal(await refused.ended, '')
        assert.deepEqual([...running, last].map(isOpen), [true, true, true])
        server.goOn()
        await Promise.all([...running.map((each) => each.answers(1)), last.answers(2)])
      }))
  }

  test('a connection on which another request runs is in use, though one has ended', () =>
    serving({ total: 100, perSource: 1 }, async (server) => {
      const pipelining = await open(server)
      pipelining.ask('/')
      pipelining.ask('/wait')
      await Promise.all([pipelining.answers(1), server.waiting(1)])
      const refused = await open(server)
      assert.equal(await refused.ended, '')
      server.goOn()
      await pipelining.answers(2)
    }))
})

describe('requests that come before others of their connection are answered', () => {
  const limits = { total: 100, perSource: 100 }

  test('wait for their turn, and are answered in their order', () =>
    serving(limits, async (server) => {
      const client = await open(server)
      client.socket.write(request('/wait').repeat(1_600) + request('/last'))
      await server.waiting(1)
      const other = await askAndAnswer(server)
      assert.equal(server.begun.length, 1)
      server.goOn()
      await client.answers(1_601)
      assert.equal(server.begun.length, 1_601)
      assert.equal(server.begun.at(-1), '/last')
      assert.ok(isOpen(other))
    }))

  test('are not begun while earlier answers are not read', () =>
    serving(limits, async (server) => {
      const client = await open(server)
      client.socket.pause()
      client.socket.write(request('/large').repeat(200))
      // The system keeps some megabytes for a client that doesn't read.
      await server.waiting(1)
      let begun = 0
      while (begun < server.begun.length) {
        begun = server.begun.length
        for (let other = 0; other < 20; other++) await askAndAnswer(server)
      }
      assert.ok(begun < 50, `${begun} answers of a megabyte were begun`)
      client.socket.resume()
      await client.answers(200)
    }))

  test('are not even read where they are many', () =>
    serving(limits, async (server) => {
      const client = await open(server)
      client.socket.write(request('/wait').repeat(1_000_000))
      await server.waiting(1)
      for (let other = 0; other < 20; other++) await askAndAnswer(server)
      assert.ok(client.socket.writableLength > 20e6, 'the server reads on')
      assert.equal(server.begun.length, 1)
      client.socket.destroy()
    }))

  test('end the connection that has most of them, when there are too many in all', () =>
    serving(limits, async (server) => {
      const modest = await open(server)
      modest.socket.write(request('/wait').repeat(10))
      await server.waiting(1)
      const greedy = await Promise.all(Array.from({ length: 20 }, () => open(server)))
      for (const { socket } of greedy) socket.write('GET /wait HTTP/1.1\r\n\r\n'.repeat(2_000))
      await Promise.race(greedy.map(({ ended }) => ended))
      await askAndAnswer(server)
      const left = greedy.filter(isOpen).length
      assert.ok(left >= 9 && left < 20, `${left} are left`)
      server.goOn()
      await modest.answers(10)
    }))
})
