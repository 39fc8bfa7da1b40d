import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ConnectionLimits, Connections } from './connections.ts'
import { clientErrorAnswer } from './refusals.ts'

/** Answers one request. Never rejects. */
export type RequestListener = (request: IncomingMessage, response: ServerResponse, requestId: string) => Promise<void>

/** Limits on what a client sends before a listener sees its request. */
const LIMITS = {
  /** Time for the headers to arrive, in milliseconds; checked every second. */
  headersTimeout: 15_000,
  connectionsCheckingInterval: 1_000,
  /** No limit: a large upload over a slow line takes hours. Bodies have limits of their own. */
  requestTimeout: 0,
  /** Bytes of all headers together; API Gateway takes 10,240. */
  maxHeaderSize: 16 * 1024,
  keepAliveTimeout: 65_000,
  /** HTTP/1.1 demands a Host header. Nothing here needs one, and the parser's refusal would not have the service's shape. */
  requireHostHeader: false,
}

/** Milliseconds between two looks for clients that take their answers too slowly. */
const LOOK_INTERVAL = 5_000

/** A listening HTTP server. Requests wait until `serve` is called. */
export interface HttpServer {
  /** Port that it listens on. */
  port: number
  /** Sends all requests to `listener`, also those that wait already. */
  serve(listener: RequestListener): void
  /** Takes no more connections and lets running requests finish. After `timeoutMs` it cuts off the rest. */
  close(timeoutMs: number): Promise<void>
}

/**
 * Listens on an address.
 * @param to.brand names the request id's header
 * @param to.overTls whether clients reach the server by TLS
 * @throws Error with code EADDRINUSE, EADDRNOTAVAIL, EACCES or ENOTFOUND when it can't
 */
export async function listen(to: {
  host: string
  port: number
  brand: string
  overTls: boolean
  limits: ConnectionLimits
}): Promise<HttpServer> {
  const { host, port, brand, overTls } = to
  const { promise: listener, resolve: serve } = Promise.withResolvers<RequestListener>()
  const connections = new Connections(to.limits)
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    response.on('close', () => connections.requestEnds(request.socket))
    // A client that went away is no failure.
    response.on('error', () => undefined)
    if (!server.listening) response.setHeader('Connection', 'close')
    try {
      await (await listener)(request, response, randomUUID())
    } catch {
      // Unreachable, but a bug in a listener must not crash the server.
      response.destroy()
    }
  }
  const arrive = (request: IncomingMessage, response: ServerResponse) =>
    connections.requestArrives(request, response, () => void answer(request, response))
  const server = createServer(LIMITS, arrive)
  // A client that expects anything but 100-continue gets an answer like any other.
  server.on('checkExpectation', arrive)
  server.on('connection', (socket) => connections.admit(socket))
  server.on('clientError', (error: Error & { code?: string; rawPacket?: Buffer }, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
    // The rest of the headers isn't read while others' answers are written.
    else if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && connections.isUsed(socket)) return
    else {
      const refuse = () =>
        socket.end(clientErrorAnswer(error, { brand, overTls, requestId: randomUUID() }), () => connections.requestEnds(socket))
      connections.nonsenseArrives(socket, refuse)
    }
  })
  const looking = setInterval(() => connections.endSlow(performance.now()), LOOK_INTERVAL).unref()
  server.on('close', () => clearInterval(looking))
  const { promise: listening, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject).listen(port, host, resolve)
  await listening
  server.off('error', reject)
  return {
    port: (server.address() as AddressInfo).port,
    serve,
    close: (timeoutMs) => close(server, connections, timeoutMs),
  }
}

async function close(server: Server, connections: Connections, timeoutMs: number): Promise<void> {
  const { promise: closed, resolve } = Promise.withResolvers<void>()
  server.close(() => resolve())
  // Connections become unused one by one as their requests finish.
  const sweeper = setInterval(() => connections.destroyUnused(), 50)
  const cutOff = new AbortController()
  await Promise.race([closed, sleep(timeoutMs, undefined, { signal: cutOff.signal }).catch(() => undefined)])
  cutOff.abort()
  clearInterval(sweeper)
  server.closeAllConnections()
  await closed
}
