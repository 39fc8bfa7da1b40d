import { STATUS_CODES } from 'node:http'
import type { Asked } from './common-headers.ts'
import { type GatewayStatus, gatewayError } from './gateway-error.ts'

/**
 * The bytes that answer what isn't HTTP, or too much of it, and so never became a request. The connection ends with them.
 * @param error of the `clientError` event
 */
export function clientErrorAnswer(
  error: Error & { code?: string; rawPacket?: Buffer },
  { brand, requestId, overTls }: Omit<Asked, 'origin'>,
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

/** The `Origin` header, as far as one can be made out in what had arrived. Visible ASCII only: it goes into a header again. */
function originIn(packet: Buffer | undefined): string | undefined {
  return /^origin:[ \t]*([\x21-\x7e]{1,300})[ \t]*\r?$/im.exec(packet?.toString('latin1') ?? '')?.[1]
}
