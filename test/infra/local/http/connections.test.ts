import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, test } from 'vitest'
import { type HttpServer, listen } from '../../../../infra/local/http/http-server.ts'
import type { SlotLimits } from '../../../../infra/local/http/slots.ts'

/** A server that answers `/` at once, and anything else when it is let go on. */
interface Serving extends HttpServer {
  /** Waits until so many requests wait. */
  waiting(count: number): Promise<void>
  goOn(): void
}

async function serving(limits: SlotLimits, check: (server: Serving) => Promise<void>): Promise<void> {
  const server = await listen({ host: '127.0.0.1', port: 0, brand: 'SVC', overTls: false, connections: limits })
  const { promise: released, resolve: goOn } = Promise.withResolvers<void>()
  const arrivals = new EventEmitter()
  let arrived = 0
  server.serve(async ({ url }, response) => {
    if (url !== '/') {
      arrived += 1
      arrivals.emit('waiting')
      await released
    }
    response.end('answered')
  })
  const waiting = async (count: number) => {
    while (arrived < count) await once(arrivals, 'waiting')
  }
  try {
    await check({ ...server, waiting, goOn })
  } finally {
    goOn()
    await server.close(0)
  }
}

interface Client {
  socket: Socket
  /** Everything that came, once the server has ended the connection. */
  ended: Promise<string>
  ask(path: string): void
  /** Waits until so many answers have come. */
  answers(count: number): Promise<void>
}

async function open({ port }: HttpServer): Promise<Client> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  let text = ''
  socket.setEncoding('utf8').on('data', (some: string) => {
    text += some
  })
  socket.on('error', () => undefined)
  const ended = new Promise<string>((resolve) => socket.once('close', () => resolve(text)))
  return {
    socket,
    ended,
    ask: (path) => void socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`),
    async answers(count) {
      while (text.split('answered').length - 1 < count && !socket.destroyed) await Promise.race([arrival(socket), ended])
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
