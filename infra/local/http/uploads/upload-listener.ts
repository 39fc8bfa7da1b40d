import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { finished } from 'node:stream/promises'
import { DiskFull } from '../../../../shared/library/errors.ts'
import { isOutOfSpace } from '../../../../shared/out-of-space.ts'
import { UploadRefused } from './upload-refused.ts'

/** How long the server discards what a client still sends after the answer, in milliseconds: until then the client may not read. */
const DRAIN_TIMEOUT = 10_000

export interface UploadAnswer {
  status: number
  headers: OutgoingHttpHeaders
  body: string
}

/** How the bytes of clients come in. */
export interface UploadSlots {
  /** Takes a slot for an upload. @returns what releases it; undefined when there is none, and the client should try again later */
  enter(request: IncomingMessage): (() => void) | undefined
  /** Whether the disk has no room for so many more bytes. */
  isDiskFull(more: number): boolean
  /** Called with failures that are not the client's. */
  onFailure(error: unknown): void
}

export type UploadListener = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/**
 * Takes bytes of clients over HTTP, as the URL of an S3 bucket does. The HTTP server must not limit the time of whole requests
 * (`server.requestTimeout = 0`): a large file over a slow line takes hours.
 * @param method the only one that it takes, besides preflights
 * @param receive takes the bytes of a request. It may leave some of them unread. @throws UploadRefused
 */
export function uploadListener(
  slots: UploadSlots,
  method: 'POST' | 'PUT',
  receive: (request: IncomingMessage) => Promise<UploadAnswer>,
): UploadListener {
  async function answerTo(request: IncomingMessage): Promise<UploadAnswer> {
    try {
      if (request.method === 'OPTIONS') return { status: 204, headers: preflight(method), body: '' }
      if (request.method !== method) throw new UploadRefused('MethodNotAllowed', `The method is ${method}.`)
      if (slots.isDiskFull(Number(request.headers['content-length'] ?? 0))) throw diskFull()
      return await receive(request)
    } catch (error) {
      if (error instanceof UploadRefused) return refusal(error)
      slots.onFailure(error)
      if (isOutOfSpace(error)) return refusal(diskFull())
      return refusal(new UploadRefused('InternalError', 'We encountered an internal error. Please try again.'))
    }
  }
  return async (request, response) => {
    const release = slots.enter(request)
    if (!release) return refuseAtOnce(request, response)
    try {
      await answer(request, response, await answerTo(request))
    } finally {
      release()
    }
  }
}

async function answer(request: IncomingMessage, response: ServerResponse, { status, headers, body }: UploadAnswer): Promise<void> {
  response.writeHead(status, { ...headers, ...corsHeaders(request.headers.origin), 'content-length': Buffer.byteLength(body) })
  if (request.complete) {
    response.end(body)
    return
  }
  // The answer leaves now and ends later: ending it would reset the connection into which the client still writes.
  response.flushHeaders()
  response.write(body)
  await drain(request)
  response.end()
}

/** Ends the connection with the answer, because a client without a slot must not use up a connection. */
function refuseAtOnce(request: IncomingMessage, response: ServerResponse): void {
  const { status, headers, body } = refusal(new UploadRefused('SlowDown', 'Too many uploads at the same time. Please try again.'))
  const ending = { connection: 'close', 'content-length': Buffer.byteLength(body) }
  response.writeHead(status, { ...headers, ...corsHeaders(request.headers.origin), ...ending }).end(body)
}

function refusal(refused: UploadRefused): UploadAnswer {
  const wait = refused.code === 'disk_full' && { 'retry-after': String(full.retryAfter) }
  return { status: refused.status, headers: { 'content-type': 'application/xml', ...wait }, body: refused.toXml() }
}

const full = new DiskFull()

function diskFull(): UploadRefused {
  return new UploadRefused('disk_full', full.message)
}

function preflight(method: string): OutgoingHttpHeaders {
  return { 'access-control-allow-methods': method, 'access-control-allow-headers': '*', 'access-control-max-age': '86400' }
}

function corsHeaders(origin: string | undefined): OutgoingHttpHeaders {
  return { vary: 'Origin', ...(origin !== undefined && { 'access-control-allow-origin': origin }) }
}

/** Discards what still arrives, until the client has sent all or the time is over. */
async function drain(request: IncomingMessage): Promise<void> {
  request.resume()
  await finished(request, { signal: AbortSignal.timeout(DRAIN_TIMEOUT) }).catch(() => request.destroy())
}
