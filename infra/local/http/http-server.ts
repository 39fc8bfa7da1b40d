import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { clientErrorAnswer } from './client-error.ts'
import { Connections } from './connections.ts'
import type { Shares } from './slots.ts'

/** Takes one request and sees to its answer. Never rejects. */
export type RequestListener = (request: IncomingMessage, response: ServerResponse, requestId: string) => Promise<void>

/** What a client may take up, beyond what the parts behind limit themselves. */
const LIMITS = {
  /** Time for the headers to arrive, in milliseconds; checked every second. */
  headersTimeout: 15_000,
  connectionsCheckingInterval: 1_000,
  /** Uploads take as long as they take: bodies have limits of their own. */
  requestTimeout: 0,
  /** Bytes of all headers together; API Gateway takes 10,240. */
  maxHeaderSize: 16 * 1024,
  keepAliveTimeout: 65_000,
  /** HTTP/1.1 asks for a Host header; nothing here needs one, and our own answers are better than the parser's. */
  requireHostHeader: false,
}

/** A listening HTTP server whose requests wait until there is somebody to take them. */
export interface HttpServer {
  /** Port that it listens on. */
  port: number
  /** From now on requests, also those that came earlier, go to `listener`. */
  serve(listener: RequestListener): void
  /** Takes no more connections, lets running requests finish, and cuts off what is left after `timeoutMs`. */
  close(timeoutMs: number): Promise<void>
}

/**
 * Listens on an address.
 * @param to.brand names the request id's header
 * @param to.overTls whether clients reach the server by TLS
 * @param to.shares of connections
 * @throws Error with code EADDRINUSE, EADDRNOTAVAIL, EACCES or ENOTFOUND when it can't
 */
export async function listen(to: { host: string; port: number; brand: string; overTls: boolean; shares: Shares }): Promise<HttpServer> {
  const { host, port, brand, overTls, shares } = to
  const { promise: listener, resolve: serve } = Promise.withResolvers<RequestListener>()
  const connections = new Connections(shares)
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const requestId = randomUUID()
    const { socket } = request
    connections.requestBegins(socket)
    response.on('close', () => connections.requestEnds(socket))
    // A client that went away is no failure of ours.
    response.on('error', () => undefined)
    if (!server.listening) response.setHeader('Connection', 'close')
    try {
      await (await listener)(request, response, requestId)
    } catch {
      // Not to be; but no request may take the server down.
      response.destroy()
    }
  }
  const server = createServer(LIMITS, answer)
  // Whatever a client expects besides 100-continue, it gets its answer.
  server.on('checkExpectation', answer)
  server.on('connection', (socket) => connections.admit(socket))
  server.on('clientError', (error: Error & { code?: string; rawPacket?: Buffer }, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
    else socket.end(clientErrorAnswer(error, { brand, overTls, requestId: randomUUID() }))
  })
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
