import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Writable } from 'node:stream'
import { describe, test } from 'vitest'
import { Connections } from '../../../../infra/local/http/connections.ts'
import { sendAnswer } from '../../../../infra/local/http/send-answer.ts'

const KIB = 1024
const PACE = { beforeFileMs: 0, windowMs: 60_000, windowBytes: 60 * KIB }
const LIMITS = { connections: { total: 4, perSource: 3 }, pace: PACE, bytesHeld: 10 * KIB * KIB }

/** A socket that says what it is told to say. */
class Client extends EventEmitter {
  readonly remoteAddress = '192.0.2.1'
  writableLength = 0
  bytesWritten = 0
  isOpen = true

  pause(): void {}
  resume(): void {}
  destroy(): void {
    this.isOpen = false
  }

  /** What it has taken, and how much more was written. */
  has(taken: number, waiting: number): void {
    this.bytesWritten = taken + waiting
    this.writableLength = waiting
  }

  get socket(): Socket {
    return this as unknown as Socket
  }
}

function ask(connections: Connections, socket: Socket): ServerResponse {
  const request = Object.assign(new IncomingMessage(socket), { complete: true })
  const response = new ServerResponse(request)
  connections.requestArrives(request, response, () => undefined)
  return response
}

describe('a client that takes its answer slowly', () => {
  /** The minutes, one after the other, in each of which a client takes so many KiB; whether it is still served. */
  function served(minutes: readonly { taken: number; waiting?: number }[], others = 0): boolean {
    const client = new Client()
    const connections = new Connections(LIMITS)
    connections.admit(client.socket)
    for (let n = 0; n < others; n++) connections.admit(new Client().socket)
    ask(connections, client.socket).writeHead(200).flushHeaders()
    const start = performance.now()
    let taken = 0
    for (const [minute, { taken: more, waiting = 1 }] of minutes.entries()) {
      taken += more * KIB
      client.has(taken, waiting)
      // Looks between the ends of windows find nothing.
      for (const seconds of [20, 40, 60.001]) connections.endSlow(start + 1 + minute * 60_001 + seconds * 1000)
    }
    return client.isOpen
  }

  test('is cut off after two minutes of less than 60 KiB', () => {
    assert.equal(served([{ taken: 0 }, { taken: 0 }]), false)
    assert.equal(served([{ taken: 1000 }, { taken: 59 }, { taken: 59 }]), false)
  })

  test('is cut off after one minute in which it takes nothing, while more than half of the slots are taken', () => {
    assert.equal(served([{ taken: 0 }], 2), false)
    assert.equal(served([{ taken: 0 }], 1), true)
    assert.equal(served([{ taken: 0, waiting: 0 }], 2), true)
    assert.equal(
      served(
        Array.from({ length: 9 }, () => ({ taken: 64 })),
        2,
      ),
      true,
    )
  })

  test('is served while it takes more, or no more in one minute', () => {
    assert.equal(served(Array.from({ length: 9 }, () => ({ taken: 61 }))), true)
    // Systems take some hundred KiB at once, and then nothing for long.
    assert.equal(served([{ taken: 0 }, { taken: 120 }, { taken: 0 }, { taken: 120 }, { taken: 0 }]), true)
  })

  test('is served while it is the server that is slow', () => {
    assert.equal(served(Array.from({ length: 9 }, () => ({ taken: 0, waiting: 0 }))), true)
  })
})

test('when too many bytes of answers are in memory, the slowest of them go', async () => {
  const clients = [1, 2, 3].map(() => new Client())
  const connections = new Connections(LIMITS)
  const unread = []
  for (const [index, client] of clients.entries()) {
    connections.admit(client.socket)
    const response = ask(connections, client.socket)
    // Takes nothing.
    const sink = new Writable({ write: () => undefined })
    response.assignSocket(sink as unknown as Socket)
    unread.push(response)
    void sendAnswer(response.req, response, { status: 200, headers: {}, body: Buffer.alloc(4 * KIB * KIB) }).catch(() => undefined)
    client.has((index + 1) * 100 * KIB, 1)
  }
  connections.endSlow(performance.now())
  assert.deepEqual(
    clients.map(({ isOpen }) => isOpen),
    [false, true, true],
  )
  for (const response of unread) response.destroy()
})
