import type { Socket } from 'node:net'
import { networksOf } from '../../../shared/network.ts'
import { type SlotLimits, Slots } from './slots.ts'

interface Connection {
  source: string
  /** Requests that run on it: with pipelining several. */
  requests: number
}

/**
 * The connections of a server. When there is no slot for another, the server closes the one that has been unused for longest. So a client
 * that holds connections without sending requests keeps nobody out.
 */
export class Connections {
  readonly #slots: Slots
  readonly #open = new Map<Socket, Connection>()
  /** Connections without a running request, the longest unused first. A request that is still arriving doesn't run yet. */
  readonly #unused = new Set<Socket>()

  constructor(limits: SlotLimits) {
    this.#slots = new Slots(limits)
  }

  /** Admits a new connection, or destroys it where all others are in use. */
  admit(socket: Socket): void {
    const source = sourceOf(socket)
    while (!this.#slots.take(source)) {
      const unused = this.#longestUnused(this.#slots.isFull(source) ? source : undefined)
      if (!unused) {
        socket.destroy()
        return
      }
      this.#remove(unused)
      unused.destroy()
    }
    this.#open.set(socket, { source, requests: 0 })
    this.#unused.add(socket)
    socket.once('close', () => this.#remove(socket))
  }

  /** A request begins on a connection. */
  requestBegins(socket: Socket): void {
    const connection = this.#open.get(socket)
    if (!connection) return
    connection.requests += 1
    this.#unused.delete(socket)
  }

  /** A request on a connection has ended. */
  requestEnds(socket: Socket): void {
    const connection = this.#open.get(socket)
    if (!connection) return
    connection.requests -= 1
    if (connection.requests === 0) this.#unused.add(socket)
  }

  /** Destroys the connections that no request runs on. */
  destroyUnused(): void {
    for (const socket of this.#unused) socket.destroy()
  }

  #longestUnused(source: string | undefined): Socket | undefined {
    return this.#unused.values().find((socket) => source === undefined || this.#open.get(socket)?.source === source)
  }

  #remove(socket: Socket): void {
    const connection = this.#open.get(socket)
    if (!connection) return
    this.#open.delete(socket)
    this.#unused.delete(socket)
    this.#slots.release(connection.source)
  }
}

/** The narrowest network of its address. */
function sourceOf({ remoteAddress = '' }: Socket): string {
  return networksOf(remoteAddress)[0]
}
