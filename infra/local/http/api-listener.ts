import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { type ApiResult, bytesOf, type Kernel } from '../../../shared/http/exchange.ts'
import { isOverTls } from '../../../shared/http/middleware/security.ts'
import { type GatewayStatus, gatewayError } from './gateway-error.ts'
import type { RequestListener } from './http-server.ts'
import { targetOf, toProxyEvent } from './proxy-event.ts'
import { BodyCutOff, BodyTooLarge, BodyTooSlow, discard, readBody } from './request-body.ts'
import type { Destination } from './router.ts'
import { sendStream } from './send-stream.ts'

/**
 * Limits of a request's body. The size is that of AWS, where a function's request holds 6 MiB with the body in base64.
 */
const BODY = { maxBytes: 4.5 * 1024 * 1024, timeoutMs: 30_000 }
/** How much more of a refused body the server reads and discards. */
const REFUSED = { maxBytes: 64 * 1024 * 1024, timeoutMs: 10_000 }

/**
 * Answers API requests: what API Gateway does between the network and a function.
 * @param behindProxy whether a proxy on this machine tells the client's address
 */
export function apiListener(
  destinationOf: (method: string, path: string) => Destination,
  kernel: Kernel,
  behindProxy = false,
): RequestListener {
  return async (message, response, requestId) => {
    const target = targetOf(message.url ?? '/')
    const { handler, resource, pathParameters, maxBodyBytes } = destinationOf(message.method ?? 'GET', target.path)
    try {
      const maxBytes = Math.min(BODY.maxBytes, maxBodyBytes)
      const body = await readBody(message, { ...BODY, maxBytes })
      const time = kernel.clock.now()
      const event = toProxyEvent({ message, requestId, target, resource, pathParameters, body, time, behindProxy })
      await send(message, response, await handler(event))
    } catch (error) {
      if (response.headersSent) kernel.log.error('the answer broke off', { id: requestId, error })
      else if (!(error instanceof BodyCutOff)) await refuse(message, response, { requestId, error, kernel })
    }
  }
}

async function refuse(
  message: IncomingMessage,
  response: ServerResponse,
  { requestId, error, kernel }: { requestId: string; error: unknown; kernel: Kernel },
): Promise<void> {
  const { log, settings } = kernel
  const status = statusOf(error)
  if (status === 500) log.error('unexpected error', { id: requestId, error })
  else log.info('request', { id: requestId, route: 'refused', method: message.method, status })
  if (status === 408) response.setHeader('Connection', 'close')
  const answered = { brand: settings.brand, requestId, origin: message.headers.origin, overTls: isOverTls(kernel) }
  const { headers, body } = gatewayError(status, answered)
  response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) })
  // Sent before the rest of the body is read: a client that reads it stops sending.
  if (message.method !== 'HEAD') response.write(body)
  if (status === 413) await discard(message, REFUSED)
  response.end()
}

function statusOf(error: unknown): GatewayStatus {
  if (error instanceof BodyTooLarge) return 413
  return error instanceof BodyTooSlow ? 408 : 500
}

/**
 * Answers as API Gateway would. Text is not made a buffer, because Node sends a string together with the headers, in one write.
 * @throws what a stream failed with
 */
async function send(
  message: IncomingMessage,
  response: ServerResponse,
  { statusCode, headers, body, pieces, isBase64Encoded, stream }: ApiResult,
): Promise<void> {
  if (stream) {
    response.writeHead(statusCode, headers as OutgoingHttpHeaders)
    if (message.method !== 'HEAD') return sendStream(stream, response)
    stream.destroy()
    response.end()
    return
  }
  const content = isBase64Encoded ? Buffer.from(body, 'base64') : body
  const length = statusCode === 204 || statusCode === 304 ? undefined : pieces ? bytesOf(pieces) : Buffer.byteLength(content)
  const fields = (headers ?? {}) as OutgoingHttpHeaders
  if (length !== undefined) fields['Content-Length'] = length
  response.writeHead(statusCode, fields)
  if (message.method === 'HEAD' || !length) response.end()
  else if (pieces) sendPieces(pieces, response)
  else response.end(content)
}

/** Sends pieces without a copy of them, in one write. */
function sendPieces(pieces: readonly Buffer[], response: ServerResponse): void {
  response.cork()
  for (const piece of pieces) response.write(piece)
  response.end()
}
