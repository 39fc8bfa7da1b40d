import type { Socket } from 'node:net'
import { networksOf } from '../../../shared/network.ts'
import { Places, type Shares } from './slots.ts'

interface Connection {
  source: string
  /** Requests that run on it: with pipelining several. */
  requests: number
}

/**
 * The connections of a server. When there is no place for another, the one that has been unused for longest gives way: whoever holds
 * connections without asking for anything keeps nobody out.
 */
export class Connections {
  readonly #places: Places
  readonly #open = new Map<Socket, Connection>()
  /** Those that no request runs on, also those on which one has begun to arrive; the longest unused first. */
  readonly #unused = new Set<Socket>()

  constructor(shares: Shares) {
    this.#places = new Places(shares)
  }

  /** Takes a new connection in, or destroys it. */
  admit(socket: Socket): void {
    const source = narrowest(socket.remoteAddress)
    while (!this.#places.take(source)) {
      const unused = this.#longestUnused(this.#places.hasShare(source) ? source : undefined)
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
    this.#places.leave(connection.source)
  }
}

function narrowest(address = ''): string {
  return networksOf(address)[0]
}
