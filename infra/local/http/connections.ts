import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { networksOf } from '../../../shared/network.ts'
import { type SlotLimits, Slots } from './slots.ts'

/** Most requests that wait on all connections together. One takes 2 KB. */
const MAX_WAITING = 20_000

interface Connection {
  source: string
  /** Whether a request runs on it. */
  isUsed: boolean
  /** The last request that arrived, perhaps without its whole body yet. */
  last?: IncomingMessage
  /** Begin the requests that came before that one was answered. */
  waiting: (() => void)[]
}

/**
 * The connections of a server. When there is no slot for another, the server closes the one that has been unused for longest. So a client
 * that holds connections without sending requests keeps nobody out.
 *
 * On each connection one request runs at a time. Those that a client sends before it has the answer wait, and nothing more is read of the
 * connection: Node hands over all that one write held at once, some thousands. When too many wait, the connection with most of them is closed.
 */
export class Connections {
  readonly #slots: Slots
  readonly #open = new Map<Socket, Connection>()
  /** Connections without a running request, the longest unused first. A request that is still arriving doesn't run yet. */
  readonly #unused = new Set<Socket>()
  /** Requests that wait, on all connections. */
  #waiting = 0

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
      this.#end(unused)
    }
    const connection: Connection = { source, isUsed: false, waiting: [] }
    this.#open.set(socket, connection)
    this.#unused.add(socket)
    socket.once('close', () => this.#remove(socket))
    // Node resumes a socket whenever a request or an answer on it is complete.
    socket.on('resume', () => connection.waiting.length > 0 && socket.pause())
  }

  /** Whether a request runs on a connection. */
  isUsed(socket: Socket): boolean {
    return this.#open.get(socket)?.isUsed ?? false
  }

  /** Calls `begin` when all requests before are answered, and their answers written. */
  requestArrives(request: IncomingMessage, begin: () => void): void {
    const connection = this.#open.get(request.socket)
    if (connection) connection.last = request
    this.#inTurn(request.socket, begin)
  }

  /** Calls `refuse` for what is no request: at once where it should have been the body of one, else when all requests before are answered. */
  nonsenseArrives(socket: Socket, refuse: () => void): void {
    if (this.#open.get(socket)?.last?.complete === false) refuse()
    else this.#inTurn(socket, refuse)
  }

  #inTurn(socket: Socket, begin: () => void): void {
    const connection = this.#open.get(socket)
    if (!connection) return
    if (connection.isUsed) {
      connection.waiting.push(begin)
      socket.pause()
      this.#waiting += 1
      if (this.#waiting > MAX_WAITING) this.#end(this.#mostWaiting())
      return
    }
    connection.isUsed = true
    this.#unused.delete(socket)
    begin()
  }

  /** A request on a connection has ended: its answer is written. */
  requestEnds(socket: Socket): void {
    const connection = this.#open.get(socket)
    if (!connection) return
    const next = connection.waiting.shift()
    if (next) {
      this.#waiting -= 1
      // Others have their turn between two requests of a connection.
      setImmediate(next)
      if (connection.waiting.length === 0) socket.resume()
    } else {
      connection.isUsed = false
      this.#unused.add(socket)
    }
  }

  /** Destroys the connections that no request runs on. */
  destroyUnused(): void {
    for (const socket of this.#unused) socket.destroy()
  }

  #longestUnused(source: string | undefined): Socket | undefined {
    return this.#unused.values().find((socket) => source === undefined || this.#open.get(socket)?.source === source)
  }

  #mostWaiting(): Socket | undefined {
    let [most, count]: [Socket | undefined, number] = [undefined, 0]
    for (const [socket, { waiting }] of this.#open) if (waiting.length > count) [most, count] = [socket, waiting.length]
    return most
  }

  #end(socket: Socket | undefined): void {
    if (!socket) return
    // At once: the event `close` comes later.
    this.#remove(socket)
    socket.destroy()
  }

  #remove(socket: Socket): void {
    const connection = this.#open.get(socket)
    if (!connection) return
    this.#waiting -= connection.waiting.length
    this.#open.delete(socket)
    this.#unused.delete(socket)
    this.#slots.release(connection.source)
  }
}

/** The narrowest network of its address. */
function sourceOf({ remoteAddress = '' }: Socket): string {
  return networksOf(remoteAddress)[0]
}
