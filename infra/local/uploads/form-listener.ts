import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { finished } from 'node:stream/promises'
import type { ObjectInfo } from '../../../shared/backends/objects/port.ts'
import { DiskFull } from '../../../shared/library/errors.ts'
import { isOutOfSpace } from '../../../shared/out-of-space.ts'
import { type FormReceiver, receiveUploadForm, type StoredUpload } from './receive-form.ts'
import { UploadRefused } from './upload-refused.ts'

/** How long the server discards what a client still sends after the answer, in milliseconds: until then the client may not read. */
const DRAIN_TIMEOUT = 10_000

interface Answer {
  status: number
  headers: OutgoingHttpHeaders
  body: string
}

/** What the listener needs. */
export interface UploadListener extends FormReceiver {
  /** Takes a slot for a post. @returns what releases it; undefined when there is none, and the client should try again later */
  enter(request: IncomingMessage): (() => void) | undefined
  /** Whether the disk has no room for so many more bytes. */
  isDiskFull(more: number): boolean
  /** Called with failures that are not the client's. */
  onFailure(error: unknown): void
}

/**
 * Takes posted upload forms over HTTP, as the URL of an S3 bucket does. The HTTP server must not limit the time of whole requests
 * (`server.requestTimeout = 0`): a large file over a slow line takes hours.
 */
export function uploadFormListener(uploads: UploadListener): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return async (request, response) => {
    const release = uploads.enter(request)
    if (!release) return refuseAtOnce(request, response)
    try {
      await answer(request, response, await answerTo(request, uploads))
    } finally {
      release()
    }
  }
}

async function answer(request: IncomingMessage, response: ServerResponse, { status, headers, body }: Answer): Promise<void> {
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

async function answerTo(request: IncomingMessage, uploads: UploadListener): Promise<Answer> {
  try {
    if (request.method === 'OPTIONS') return { status: 204, headers: PREFLIGHT, body: '' }
    if (request.method !== 'POST') throw new UploadRefused('MethodNotAllowed', 'Forms are posted.')
    if (uploads.isDiskFull(Number(request.headers['content-length'] ?? 0))) throw diskFull()
    return success(uploads.bucket, await receiveUploadForm({ headers: request.headers, body: request }, uploads))
  } catch (error) {
    if (error instanceof UploadRefused) return refusal(error)
    uploads.onFailure(error)
    if (isOutOfSpace(error)) return refusal(diskFull())
    return refusal(new UploadRefused('InternalError', 'We encountered an internal error. Please try again.'))
  }
}

function success(bucket: string, { object, redirect }: StoredUpload): Answer {
  const etag = `"${object.etag}"`
  if (redirect === undefined) return { status: 204, headers: { etag }, body: '' }
  return { status: 303, headers: { etag, location: withUpload(redirect, bucket, object) }, body: '' }
}

/** The redirect's address with the query parameters that S3 adds. */
function withUpload(redirect: string, bucket: string, { key, etag }: ObjectInfo): string {
  const parameters = { bucket, key, etag: `"${etag}"` }
  const query = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return `${redirect}${redirect.includes('?') ? '&' : '?'}${query.join('&')}`
}

function refusal(refused: UploadRefused): Answer {
  const wait = refused.code === 'disk_full' && { 'retry-after': String(full.retryAfter) }
  return { status: refused.status, headers: { 'content-type': 'application/xml', ...wait }, body: refused.toXml() }
}

const full = new DiskFull()

function diskFull(): UploadRefused {
  return new UploadRefused('disk_full', full.message)
}

const PREFLIGHT = {
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers': '*',
  'access-control-max-age': '86400',
}

function corsHeaders(origin: string | undefined): OutgoingHttpHeaders {
  return { vary: 'Origin', ...(origin !== undefined && { 'access-control-allow-origin': origin }) }
}

/** Discards what still arrives, until the client has sent all or the time is over. */
async function drain(request: IncomingMessage): Promise<void> {
  request.resume()
  await finished(request, { signal: AbortSignal.timeout(DRAIN_TIMEOUT) }).catch(() => request.destroy())
}
