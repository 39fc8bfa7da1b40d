import type { IncomingMessage } from 'node:http'
import type { APIGatewayProxyEvent } from 'aws-lambda'

/** A request in parts. */
export interface GatewayRequest {
  message: IncomingMessage
  requestId: string
  /** Path and query as sent. */
  target: Target
  /** Its route, as API Gateway writes it: `/folder/{id}`. */
  resource: string
  /** Decoded. */
  pathParameters: Record<string, string> | null
  body: Buffer
  /** UNIX milliseconds */
  time: number
  /** Whether a proxy on this machine stands before the server (`BASE_URL` is set) and tells the client's address. */
  behindProxy: boolean
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

/** The event that API Gateway (REST, proxy integration, payload 1.0) gives a function for this request. HEAD becomes GET. */
export function toProxyEvent(request: GatewayRequest): APIGatewayProxyEvent {
  const { message, target, resource, pathParameters, body } = request
  const httpMethod = message.method === 'HEAD' ? 'GET' : (message.method ?? 'GET')
  const headers = grouped(pairsOf(message.rawHeaders))
  // Malformed percent sequences stay as they are: the endpoint's schema refuses them.
  const parameters = target.query === '' ? [] : [...new URLSearchParams(target.query)]
  const query = parameters.length > 0 ? grouped(parameters) : undefined
  return {
    httpMethod,
    path: target.path,
    resource,
    pathParameters,
    headers: headers.last,
    multiValueHeaders: headers.all,
    queryStringParameters: query?.last ?? null,
    multiValueQueryStringParameters: query?.all ?? null,
    stageVariables: null,
    // All media types are binary ones of the API (infra/stack/gateway-document.ts).
    body: body.length === 0 ? null : body.toString('base64'),
    isBase64Encoded: body.length > 0,
    requestContext: requestContext(request, httpMethod),
  }
}

/** Names, in lower case, and values of headers as Node gives them: one after the other. */
function* pairsOf(raw: readonly string[]): Generator<[name: string, value: string]> {
  for (let at = 0; at + 1 < raw.length; at += 2) yield [raw[at]!.toLowerCase(), raw[at + 1]!]
}

/** All values by name, and the last value of each name, as API Gateway gives them. */
function grouped(pairs: Iterable<[name: string, value: string]>): { all: Record<string, string[]>; last: Record<string, string> } {
  const all: Record<string, string[]> = Object.create(null)
  const last: Record<string, string> = Object.create(null)
  for (const [name, value] of pairs) {
    // Appended in place, because a name may be repeated thousands of times.
    const known = all[name]
    if (known) known.push(value)
    else all[name] = [value]
    last[name] = value
  }
  return { all, last }
}

/** One machine has no account, API or stage: those fields are here for the type only. */
function requestContext(
  { message, requestId, resource, target, time, behindProxy }: GatewayRequest,
  httpMethod: string,
): APIGatewayProxyEvent['requestContext'] {
  return {
    requestId,
    httpMethod,
    path: target.path,
    resourcePath: resource,
    resourceId: resource,
    protocol: `HTTP/${message.httpVersion}`,
    requestTimeEpoch: time,
    domainName: message.headers.host ?? '',
    stage: 'local',
    accountId: 'local',
    apiId: 'local',
    authorizer: null,
    identity: { ...nobody, sourceIp: sourceAddress(message, behindProxy), userAgent: message.headers['user-agent'] ?? null },
  }
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

const nobody: Omit<APIGatewayProxyEvent['requestContext']['identity'], 'sourceIp' | 'userAgent'> = {
  accessKey: null,
  accountId: null,
  apiKey: null,
  apiKeyId: null,
  caller: null,
  clientCert: null,
  cognitoAuthenticationProvider: null,
  cognitoAuthenticationType: null,
  cognitoIdentityId: null,
  cognitoIdentityPoolId: null,
  principalOrgId: null,
  user: null,
  userArn: null,
}
