import type { IncomingMessage } from 'node:http'
import type { APIGatewayProxyEvent } from 'aws-lambda'

/** A request as the server has taken it apart. */
export interface GatewayRequest {
  message: IncomingMessage
  requestId: string
  /** Path and query as sent. */
  target: Target
  /** Which route it goes to, as API Gateway writes it: `/folder/{id}`. */
  resource: string
  /** Decoded. */
  pathParameters: Record<string, string> | null
  body: Buffer
  /** UNIX milliseconds */
  time: number
  /** Whether a proxy on this machine stands before the server (`BASE_URL` is set): it tells who asks. */
  behindProxy: boolean
}

/** A request's path and query, both still encoded, the query without `?`. */
export interface Target {
  path: string
  query: string
}

/** Takes a request line's target apart, also one in absolute form (`GET http://host/path`), which every server has to take. */
export function targetOf(url: string): Target {
  const relative = url.replace(/^https?:\/\/[^/?#]*/i, '').replace(/#.*$/s, '')
  const mark = relative.indexOf('?')
  return mark < 0 ? { path: relative || '/', query: '' } : { path: relative.slice(0, mark) || '/', query: relative.slice(mark + 1) }
}

/** The event that API Gateway (REST, proxy integration, payload 1.0) would give a function for this request. HEAD is asked as GET. */
export function toEvent(request: GatewayRequest): APIGatewayProxyEvent {
  const { message, target, resource, pathParameters, body } = request
  const httpMethod = message.method === 'HEAD' ? 'GET' : (message.method ?? 'GET')
  const headers = group(Object.entries(message.headersDistinct).map(([name, values]) => [name, values ?? []]))
  // Malformed percent sequences stay as they are, as the schemas will say.
  const query = group([...new URLSearchParams(target.query)].map(([name, value]) => [name, [value]]))
  return {
    httpMethod,
    path: target.path,
    resource,
    pathParameters,
    headers: headers.last ?? {},
    multiValueHeaders: headers.all ?? {},
    queryStringParameters: query.last,
    multiValueQueryStringParameters: query.all,
    stageVariables: null,
    // Of the API's binary media types (gateway-document.ts), whatever type it says it has.
    body: body.length === 0 ? null : body.toString('base64'),
    isBase64Encoded: body.length > 0,
    requestContext: requestContext(request, httpMethod),
  }
}

/** As API Gateway gives them: every value by name, and the last one of each name; null when there are none. */
function group(pairs: [string, string[]][]): { all: Record<string, string[]> | null; last: Record<string, string> | null } {
  if (pairs.length === 0) return { all: null, last: null }
  const all: Record<string, string[]> = Object.create(null)
  for (const [name, values] of pairs) {
    // Appended, not copied: a name may be repeated thousands of times.
    all[name] ??= []
    all[name].push(...values)
  }
  const last: Record<string, string> = Object.create(null)
  for (const [name, values] of Object.entries(all)) last[name] = values.at(-1) ?? ''
  return { all, last }
}

/** There is no account, API or stage on one machine: those fields are there for their type only. */
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
 * Network address of the other end; IPv4 as such where the socket speaks both. Of a proxy on this machine it is what the proxy added to
 * `X-Forwarded-For` last: what comes before that anybody may have sent.
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
