import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { SourceSlots } from '../../../shared/library/concurrency/source-slots.ts'
import type { ClientLimits } from './client-limits.ts'
import { Connection } from './connection.ts'

/** Most requests that wait for others of their connection, on all connections together. One takes 2 KB. */
const MAX_WAITING = 20_000

export type ConnectionLimits = Pick<ClientLimits, 'connections' | 'pace' | 'bytesHeld'>

/**
 * The connections of a server. When there is no slot for another, the server closes the one that has been unused for longest, else the one
 * whose client takes its answer the slowest. So a client that holds connections without sending requests, or without reading, keeps nobody out.
 */
export class Connections {
  readonly #limits: ConnectionLimits
  readonly #slots: SourceSlots
  readonly #open = new Map<Socket, Connection>()
  /** Connections without a running request, the longest unused first. */
  readonly #unused = new Set<Connection>()
  /** Requests that wait, on all connections. */
  #waiting = 0

  constructor(limits: ConnectionLimits) {
    this.#limits = limits
    this.#slots = new SourceSlots(limits.connections)
  }

  /** Admits a new connection, or destroys it where requests run on all others that no answer is sent to yet. */
  admit(socket: Socket): void {
    const connection = new Connection(socket)
    const { source } = connection
    while (!this.#slots.take(source)) {
      const isFull = this.#slots.isFull(source)
      const candidate = (other: Connection) => !isFull || other.source === source
      const ended = this.#unused.values().find(candidate) ?? this.#slowest(candidate)
      if (!ended) {
        socket.destroy()
        return
      }
      this.#end(ended)
    }
    this.#open.set(socket, connection)
    this.#unused.add(connection)
    socket.once('close', () => this.#remove(connection))
  }

  /** Whether a request runs on a connection. */
  isUsed(socket: Socket): boolean {
    return this.#open.get(socket)?.isUsed ?? false
  }

  /** Calls `begin` when it is the turn of a request on its connection. */
  requestArrives(request: IncomingMessage, response: ServerResponse, begin: () => void): void {
    this.#arrives(request.socket, (connection) => connection.requestArrives(request, response, begin))
  }

  /** Calls `refuse` when it is the turn of what is no request. */
  nonsenseArrives(socket: Socket, refuse: () => void): void {
    this.#arrives(socket, (connection) => connection.nonsenseArrives(refuse))
  }

  #arrives(socket: Socket, arrive: (connection: Connection) => void): void {
    const connection = this.#open.get(socket)
    if (connection) this.#changing(connection, arrive)
    if (this.#waiting > MAX_WAITING) this.#end(largest(this.#open.values(), ({ waiting }) => waiting))
  }

  /** A request on a connection has ended: its answer is written. */
  requestEnds(socket: Socket): void {
    const connection = this.#open.get(socket)
    if (connection) this.#changing(connection, () => connection.requestEnds())
  }

  /** Counts what waits, and what is unused, after a change of a connection. */
  #changing(connection: Connection, change: (connection: Connection) => void): void {
    this.#waiting -= connection.waiting
    change(connection)
    this.#waiting += connection.waiting
    if (connection.isUsed) this.#unused.delete(connection)
    else this.#unused.add(connection)
  }

  /**
   * Ends connections whose clients take their answers too slowly, and the slowest ones where too many bytes of answers are in memory. To be
   * called every few seconds.
   * @param now of `performance.now()`
   */
  endSlow(now: number): void {
    const isCrowded = this.#slots.isHalfTaken
    for (const connection of this.#open.values())
      if (connection.isUsed && connection.pace.isTooSlow(now, this.#limits.pace, isCrowded)) this.#end(connection)
    let held = 0
    for (const { bytesHeld } of this.#open.values()) held += bytesHeld
    while (held > this.#limits.bytesHeld) {
      const slowest = this.#slowest(({ bytesHeld }) => bytesHeld > 0, now)
      if (!slowest) return
      held -= slowest.bytesHeld
      this.#end(slowest)
    }
  }

  /** Destroys the connections that no request runs on. */
  destroyUnused(): void {
    for (const { socket } of this.#unused) socket.destroy()
  }

  /** Of the candidates to whom an answer is being sent, the one that takes it the slowest. */
  #slowest(candidate: (connection: Connection) => boolean, now = performance.now()): Connection | undefined {
    const answering = this.#open.values().filter((each) => each.isAnswering && candidate(each))
    return largest(answering, ({ pace }) => -pace.rate(now))
  }

  #end(connection: Connection | undefined): void {
    if (!connection) return
    // At once: the event `close` comes later.
    this.#remove(connection)
    connection.socket.destroy()
  }

  #remove(connection: Connection): void {
    if (!this.#open.delete(connection.socket)) return
    this.#waiting -= connection.waiting
    this.#unused.delete(connection)
    this.#slots.release(connection.source)
  }
}

function largest(connections: Iterable<Connection>, measure: (connection: Connection) => number): Connection | undefined {
  let [found, size]: [Connection | undefined, number] = [undefined, Number.NEGATIVE_INFINITY]
  for (const connection of connections) {
    const measured = measure(connection)
    if (measured > size) [found, size] = [connection, measured]
  }
  return found
}
