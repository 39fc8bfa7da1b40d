import { STATUS_CODES } from 'node:http'
import { json } from '../../../shared/http/kernel/answer.ts'
import { exposedHeaders, requestIdHeader, securityHeaders } from '../../../shared/http/kernel/headers.ts'
import type { ApiResult } from '../../../shared/http/protocol/exchange.ts'

/** What an answer that the kernel doesn't make needs to know of its request. */
export interface AnsweredRequest {
  brand: string
  requestId: string
  origin: string | undefined
  /** Whether clients reach the server by TLS. */
  overTls: boolean
}

/** The headers that every answer carries. */
export function commonHeaders({ brand, requestId, origin, overTls }: AnsweredRequest): Record<string, string> {
  return {
    [requestIdHeader(brand)]: requestId,
    Vary: 'Origin',
    'Access-Control-Expose-Headers': exposedHeaders(brand),
    ...(origin === undefined ? {} : { 'Access-Control-Allow-Origin': origin }),
    ...securityHeaders(overTls),
  }
}

/** Refusals of the server itself, by status. Codes and messages are those of API Gateway's answers (infra/aws/stack/gateway-responses.ts). */
const refusals = {
  400: { code: 'invalid_input', message: 'The request could not be understood.' },
  408: { code: 'timeout', message: 'The request took too long to arrive. Please try again.' },
  413: { code: 'too_large', message: 'The request is too large.' },
  431: { code: 'too_large', message: 'The headers of the request are too large.' },
  500: { code: 'internal_error', message: 'Something went wrong on our side. Please quote the request id to support.' },
} as const

export type RefusalStatus = keyof typeof refusals

/** An error that the server itself answers with: shape, request id and CORS headers are those of every other error. */
export function refusal(status: RefusalStatus, request: AnsweredRequest): ApiResult {
  const answer = json(status, { ...refusals[status], request_id: request.requestId })
  return { ...answer, headers: { ...answer.headers, ...commonHeaders(request) } }
}

/**
 * The answer to bytes that never became a request: they aren't HTTP, or their headers are too large or too slow. The connection ends with
 * it.
 * @param error of the `clientError` event
 */
export function clientErrorAnswer(error: Error & { code?: string; rawPacket?: Buffer }, request: Omit<AnsweredRequest, 'origin'>): string {
  const status = statusOf(error.code)
  const { headers, body } = refusal(status, { ...request, origin: originIn(error.rawPacket) })
  const fields = { ...headers, 'Content-Length': Buffer.byteLength(body), Connection: 'close' }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`
}

function statusOf(code: string | undefined): RefusalStatus {
  if (code === 'HPE_HEADER_OVERFLOW') return 431
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400
}

/** The `Origin` header, where the bytes that arrived hold one. Only visible ASCII: it goes into a header of the answer. */
function originIn(packet: Buffer | undefined): string | undefined {
  return /^origin:[ \t]*([\x21-\x7e]{1,300})[ \t]*\r?$/im.exec(packet?.toString('latin1') ?? '')?.[1]
}
