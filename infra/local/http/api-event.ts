import type { IncomingMessage } from 'node:http'
import type { ApiEvent } from '../../../shared/http/protocol/exchange.ts'

/** A request in parts. */
export interface RequestParts extends Pick<ApiEvent, 'resource' | 'pathParameters'> {
  message: IncomingMessage
  requestId: string
  /** The query as sent, without `?`. */
  query: string
  body: Buffer
  /** The client's network address. */
  sourceIp: string
}

/** A request's path and query, both still encoded, the query without `?`. */
export interface Target {
  path: string
  query: string
}

/** Splits a request line's target, also one in absolute form (`GET http://host/path`), which every server has to take (RFC 9112, 3.2.2). */
export function targetOf(url: string): Target {
  // Nearly all are in the short form.
  const relative = url.startsWith('/') && !url.includes('#') ? url : url.replace(/^https?:\/\/[^/?#]*/i, '').replace(/#.*$/s, '')
  const mark = relative.indexOf('?')
  return mark < 0 ? { path: relative || '/', query: '' } : { path: relative.slice(0, mark) || '/', query: relative.slice(mark + 1) }
}

/** The event that API Gateway makes of such a request. HEAD becomes GET. */
export function toApiEvent({ message, requestId, resource, pathParameters, query, body, sourceIp }: RequestParts): ApiEvent {
  return {
    httpMethod: message.method === 'HEAD' ? 'GET' : (message.method ?? 'GET'),
    resource,
    pathParameters,
    headers: lastValues(message.rawHeaders),
    multiValueHeaders: message.headersDistinct as Record<string, string[]>,
    ...parametersOf(query),
    body,
    isBase64Encoded: false,
    requestContext: { requestId, identity: { sourceIp } },
  }
}

/** The last value of each header by its name in lower case. @param raw names and values, one after the other */
function lastValues(raw: readonly string[]): Record<string, string> {
  const last: Record<string, string> = Object.create(null)
  for (let at = 0; at + 1 < raw.length; at += 2) last[raw[at]!.toLowerCase()] = raw[at + 1]!
  return last
}

/** All values of each parameter, and the last one. Malformed percent sequences stay as they are: the endpoint's schema refuses them. */
function parametersOf(query: string): Pick<ApiEvent, 'queryStringParameters' | 'multiValueQueryStringParameters'> {
  const parameters = query === '' ? [] : [...new URLSearchParams(query)]
  if (parameters.length === 0) return { queryStringParameters: null, multiValueQueryStringParameters: null }
  const all: Record<string, string[]> = Object.create(null)
  const last: Record<string, string> = Object.create(null)
  for (const [name, value] of parameters) {
    // Appended in place, because a name may be repeated thousands of times.
    all[name] ??= []
    all[name].push(value)
    last[name] = value
  }
  return { queryStringParameters: last, multiValueQueryStringParameters: all }
}

/**
 * The client's network address; of a socket that speaks IPv4 and IPv6, IPv4 in its own notation. Behind a proxy on this machine it is the last
 * address in `X-Forwarded-For`, which the proxy added. A client may have sent those before it.
 */
export function sourceAddress(message: IncomingMessage, behindProxy: boolean): string {
  const peer = (message.socket.remoteAddress ?? '').replace(/^::ffff:/, '')
  if (!behindProxy || !/^(127\.|::1$)/.test(peer)) return peer
  const forwarded = message.headersDistinct['x-forwarded-for']?.at(-1)?.split(',').at(-1)?.trim()
  return forwarded || peer
}
