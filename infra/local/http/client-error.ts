import { STATUS_CODES } from 'node:http'
import type { AnsweredRequest } from './common-headers.ts'
import { type GatewayStatus, gatewayError } from './gateway-error.ts'

/**
 * The answer to bytes that never became a request: they aren't HTTP, or their headers are too large or too slow. The connection ends with
 * it.
 * @param error of the `clientError` event
 */
export function clientErrorAnswer(
  error: Error & { code?: string; rawPacket?: Buffer },
  { brand, requestId, overTls }: Omit<AnsweredRequest, 'origin'>,
): string {
  const status = statusOf(error.code)
  const { headers = {}, body } = gatewayError(status, { brand, requestId, origin: originIn(error.rawPacket), overTls })
  const fields = { ...headers, 'Content-Length': Buffer.byteLength(body), Connection: 'close' }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`
}

function statusOf(code: string | undefined): GatewayStatus {
  if (code === 'HPE_HEADER_OVERFLOW') return 431
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400
}

/** The `Origin` header, where the bytes that arrived hold one. Only visible ASCII: it goes into a header of the answer. */
function originIn(packet: Buffer | undefined): string | undefined {
  return /^origin:[ \t]*([\x21-\x7e]{1,300})[ \t]*\r?$/im.exec(packet?.toString('latin1') ?? '')?.[1]
}
