import { type IncomingHttpHeaders, validateHeaderValue } from 'node:http'
import type { DeliverySource } from '../../../shared/backends/edge/embedded.ts'
import { verifySignedUrl } from '../../../shared/backends/edge/signed-url.ts'
import { ObjectMissing } from '../../../shared/backends/objects/port.ts'
import { DELIVERY_CACHE_CONTROL } from '../../../shared/library/media/delivery.ts'
import { type DeliveryAnswer, objectAnswer } from './object-answer.ts'

/** A request for an object. */
export interface DeliveryRequest {
  method: string
  /** Path and query as they were requested. */
  url: string
  headers: IncomingHttpHeaders
}

/** Headers of every answer. Users' files are hostile: no browser may run one as a page of this host. */
const COMMON_HEADERS = {
  'cache-control': DELIVERY_CACHE_CONTROL,
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

/**
 * What is shown has the same bytes under the URL of its next hour, and under one that this server signs after a restart. A browser that knows
 * this header (Chromium does) doesn't fetch it again. Refusals lack it: one must not stand for a URL that is valid.
 * @see https://datatracker.ietf.org/doc/draft-ietf-httpbis-no-vary-search/
 */
const SHOWN = { 'no-vary-search': 'params=("Expires" "Signature")' }

/** Any site may fetch files, with the headers that its client sends with every request. */
const PREFLIGHT = {
  'access-control-allow-methods': 'GET, HEAD, OPTIONS',
  'access-control-allow-headers': 'Authorization, Content-Type, Range',
  'access-control-max-age': '86400',
}

async function answerTo({ method, url, headers }: DeliveryRequest, source: DeliverySource): Promise<DeliveryAnswer> {
  if (method === 'OPTIONS') return { status: 204, headers: PREFLIGHT }
  if (method !== 'GET' && method !== 'HEAD') return refusal(405, 'Method not allowed', { allow: 'GET, HEAD' })
  const verdict = verifySignedUrl(url, await source.keys(), source.clock.now())
  if (verdict !== 'valid') return refusal(403, verdict === 'expired' ? 'This link has expired' : 'Access denied')
  const [path = '', query = ''] = url.split('?')
  const key = decodeURIComponent(path.slice(source.path.length + 1))
  const found = await source.objects.head(key)
  if (!found) return refusal(404, 'Not found')
  try {
    const answer = await objectAnswer(source.objects, found, { method, headers }, overrides(query))
    return answer.status === 416 ? refusal(416, 'Range not satisfiable', answer.headers) : answer
  } catch (error) {
    if (error instanceof ObjectMissing) return refusal(404, 'Not found')
    throw error
  }
}

/** Headers that the URL's signer wants, those of them that HTTP can carry, and those of what is shown. */
function overrides(query: string): Record<string, string> {
  const parameters = new URLSearchParams(query)
  const wanted = {
    'content-disposition': parameters.get('response-content-disposition'),
    'content-type': parameters.get('response-content-type'),
  }
  const given = Object.fromEntries(Object.entries(wanted).filter((entry): entry is [string, string] => isHeader(...entry)))
  return parameters.has('response-content-disposition') ? given : { ...given, ...SHOWN }
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
