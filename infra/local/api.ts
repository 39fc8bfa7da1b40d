import type { IncomingMessage, ServerResponse } from 'node:http'
import type { APIGatewayProxyResult } from 'aws-lambda'
import type { Kernel } from '../../shared/http/exchange.ts'
import { type GatewayStatus, gatewayError } from './gateway-error.ts'
import { targetOf, toEvent } from './gateway-event.ts'
import type { RequestListener } from './http-server.ts'
import { BodyCutOff, BodyTooLarge, BodyTooSlow, discard, readBody } from './request-body.ts'
import type { Destination } from './router.ts'

/** Largest body, as that of a function's request is limited on AWS, and the time that it may take to arrive. */
const BODY = { maxBytes: 6 * 1024 * 1024, timeoutMs: 30_000 }
/** How much more of a refused body is taken and thrown away. */
const REFUSED = { maxBytes: 64 * 1024 * 1024, timeoutMs: 10_000 }

/** Answers API requests: what API Gateway does between the network and a function. */
export function apiListener(destinationOf: (method: string, path: string) => Destination, kernel: Kernel): RequestListener {
  return async (message, response, requestId) => {
    const target = targetOf(message.url ?? '/')
    const { handler, resource, pathParameters } = destinationOf(message.method ?? 'GET', target.path)
    try {
      const body = await readBody(message, BODY)
      const time = kernel.clock.now()
      send(message, response, await handler(toEvent({ message, requestId, target, resource, pathParameters, body, time })))
    } catch (error) {
      if (!(error instanceof BodyCutOff)) refuse(message, response, { status: statusOf(error), requestId, error, kernel })
    }
  }
}

function statusOf(error: unknown): GatewayStatus {
  if (error instanceof BodyTooLarge) return 413
  return error instanceof BodyTooSlow ? 408 : 500
}

function refuse(
  message: IncomingMessage,
  response: ServerResponse,
  { status, requestId, error, kernel }: { status: GatewayStatus; requestId: string; error: unknown; kernel: Kernel },
): void {
  if (status === 500) kernel.log.error('unexpected error', { id: requestId, error })
  else kernel.log.info('request', { id: requestId, route: 'refused', method: message.method, status })
  if (status === 408) response.setHeader('Connection', 'close')
  send(message, response, gatewayError(status, { brand: kernel.settings.brand, requestId, origin: message.headers.origin }))
  if (status === 413) discard(message, REFUSED)
}

/** Writes an answer as API Gateway would. */
export function send(message: IncomingMessage, response: ServerResponse, result: APIGatewayProxyResult): void {
  const { statusCode, headers = {} } = result
  const body = Buffer.from(result.body, result.isBase64Encoded ? 'base64' : 'utf8')
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, String(value))
  if (statusCode !== 204) response.setHeader('Content-Length', body.length)
  response.statusCode = statusCode
  if (message.method === 'HEAD') response.end()
  else response.end(body)
}
