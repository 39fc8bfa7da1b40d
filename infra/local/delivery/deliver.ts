import { type IncomingHttpHeaders, validateHeaderValue } from 'node:http'
import type { Readable } from 'node:stream'
import type { DeliverySource } from '../../../shared/backends/edge/embedded.ts'
import { verifySignedUrl } from '../../../shared/backends/edge/signed-url.ts'
import { type ByteRange, type ObjectInfo, ObjectMissing, type ObjectReader, RangeOutside } from '../../../shared/backends/objects/port.ts'
import { resolveRange } from '../../../shared/backends/objects/ranges.ts'
import { isUnchanged, rangeOf } from './conditional.ts'

/** A request for an object. */
export interface DeliveryRequest {
  method: string
  /** Path and query as they were requested. */
  url: string
  headers: IncomingHttpHeaders
}

export interface DeliveryAnswer {
  status: number
  headers: Record<string, string>
  /** Absent for HEAD and where there is nothing to say. A stream must be sent or destroyed. */
  body?: Readable | string
}

/** Headers of every answer. Users' files are hostile: no browser may run one as a page of this host. */
const COMMON_HEADERS = {
  'cache-control': 'private',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  vary: 'Origin',
}

/**
 * Answers a request for a signed URL as CloudFront does: the object or a range of it, or 304 where the client has it already. A URL that is
 * forged or expired is answered with 403, one of no object with 404.
 */
export async function deliver(request: DeliveryRequest, source: DeliverySource): Promise<DeliveryAnswer> {
  const { origin } = request.headers
  const { status, headers, body } = await answerTo(request, source)
  return {
    status,
    headers: { ...COMMON_HEADERS, ...(origin !== undefined && { 'access-control-allow-origin': origin }), ...headers },
    ...(body !== undefined && request.method !== 'HEAD' && { body }),
  }
}

/** Any site may fetch files, with the headers that its client sends with every request. */
const PREFLIGHT = {
  'access-control-allow-methods': 'GET, HEAD, OPTIONS',
  'access-control-allow-headers': 'Authorization, Content-Type, Range',
  'access-control-max-age': '86400',
}

async function answerTo({ method, url, headers }: DeliveryRequest, source: DeliverySource): Promise<DeliveryAnswer> {
  if (method === 'OPTIONS') return { status: 204, headers: PREFLIGHT }
  if (method !== 'GET' && method !== 'HEAD') return refusal(405, 'Method not allowed', { allow: 'GET, HEAD' })
  const base = new URL(source.baseUrl)
  const verdict = verifySignedUrl(base.origin + url, source.key, source.clock.now())
  if (verdict !== 'valid') return refusal(403, verdict === 'expired' ? 'This link has expired' : 'Access denied')
  const [path = '', query = ''] = url.split('?')
  const key = decodeURIComponent(path.slice(base.pathname === '/' ? 1 : base.pathname.length + 1))
  const found = await source.objects.head(key)
  if (!found) return refusal(404, 'Not found')

  const representation = { ...found, etag: `"${found.etag}"` }
  const about = { ...described(found), ...overrides(query) }
  if (isUnchanged(headers, representation)) return { status: 304, headers: about }
  const range = rangeOf(headers, representation)
  if (range === 'outside') return outside(found.bytes)
  if (method === 'HEAD') return { status: 200, headers: { ...about, 'content-length': String(found.bytes) } }
  return send(source.objects, key, range, overrides(query))
}

async function send(
  objects: ObjectReader,
  key: string,
  range: ByteRange | undefined,
  others: Record<string, string>,
): Promise<DeliveryAnswer> {
  try {
    // The object may have been replaced since it was looked at: the headers are those of what is sent.
    const { stream, ...sent } = await objects.get(key, range)
    const about = { ...described(sent), ...others }
    if (!range) return { status: 200, headers: { ...about, 'content-length': String(sent.bytes) }, body: stream }
    const { start, end } = resolveRange(range, sent.bytes)
    const partial = { 'content-range': `bytes ${start}-${end}/${sent.bytes}`, 'content-length': String(end - start + 1) }
    return { status: 206, headers: { ...about, ...partial }, body: stream }
  } catch (error) {
    if (error instanceof ObjectMissing) return refusal(404, 'Not found')
    if (error instanceof RangeOutside) return outside((await objects.head(key))?.bytes ?? 0)
    throw error
  }
}

function outside(bytes: number): DeliveryAnswer {
  return refusal(416, 'Range not satisfiable', { 'content-range': `bytes */${bytes}` })
}

function described({ etag, modified, contentType }: ObjectInfo) {
  return {
    'content-type': contentType,
    etag: `"${etag}"`,
    'last-modified': new Date(modified).toUTCString(),
    'accept-ranges': 'bytes',
  }
}

/** Headers that the URL's signer wants, those of them that HTTP can carry. */
function overrides(query: string): Record<string, string> {
  const parameters = new URLSearchParams(query)
  const wanted = {
    'content-disposition': parameters.get('response-content-disposition'),
    'content-type': parameters.get('response-content-type'),
  }
  return Object.fromEntries(Object.entries(wanted).filter((entry): entry is [string, string] => isHeader(...entry)))
}

function isHeader(name: string, value: string | null): boolean {
  if (value === null) return false
  try {
    validateHeaderValue(name, value)
    return true
  } catch {
    return false
  }
}

/** Kept by nobody: the file may be there, or the clock right, a moment later. */
function refusal(status: number, message: string, headers: Record<string, string> = {}): DeliveryAnswer {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', ...headers }, body: `${message}\n` }
}
