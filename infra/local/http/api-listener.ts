import type { IncomingMessage, ServerResponse } from 'node:http'
import { type ApiResult, bytesOf, type Kernel } from '../../../shared/http/protocol/exchange.ts'
import { isOverTls } from '../../../shared/http/protocol/viewer.ts'
import { sourceAddress, targetOf, toApiEvent } from './api-event.ts'
import type { RequestListener } from './http-server.ts'
import { type RefusalStatus, refusal } from './refusals.ts'
import { BodyCutOff, BodyTooLarge, BodyTooSlow, discard, readBody } from './request-body.ts'
import type { Destination } from './router.ts'
import { type Answer, sendAnswer } from './send-answer.ts'

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
    const { path, query } = targetOf(message.url ?? '/')
    const { handler, resource, pathParameters, maxBodyBytes } = destinationOf(message.method ?? 'GET', path)
    try {
      const body = await readBody(message, { ...BODY, maxBytes: Math.min(BODY.maxBytes, maxBodyBytes) })
      const sourceIp = sourceAddress(message, behindProxy)
      const event = toApiEvent({ message, requestId, resource, pathParameters, query, body, sourceIp })
      await sendAnswer(message, response, answerOf(await handler(event)))
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
  const { headers, body } = refusal(status, answered)
  response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) })
  // Sent before the rest of the body is read: a client that reads it stops sending.
  if (message.method !== 'HEAD') response.write(body)
  if (status === 413) await discard(message, REFUSED)
  response.end()
}

function statusOf(error: unknown): RefusalStatus {
  if (error instanceof BodyTooLarge) return 413
  return error instanceof BodyTooSlow ? 408 : 500
}

/** Text is not made a buffer, because Node sends a string together with the headers, in one write. */
function answerOf({ statusCode, headers = {}, multiValueHeaders, body: text, pieces, isBase64Encoded }: ApiResult): Answer {
  const body = pieces ?? (isBase64Encoded ? Buffer.from(text, 'base64') : text)
  const hasLength = statusCode !== 204 && statusCode !== 304
  const length = hasLength && { 'Content-Length': pieces ? bytesOf(pieces) : Buffer.byteLength(body as string | Buffer) }
  return { status: statusCode, headers: { ...headers, ...multiValueHeaders, ...length } as Answer['headers'], body }
}
