import { randomUUID } from 'node:crypto'
import type { APIGatewayProxyEvent } from 'aws-lambda'

/** A request to a handler in this process, without a network. */
export interface ApiRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  query?: Record<string, string>
  body?: unknown
  /** Value of the header. */
  authorization: string
}

/**
 * The event that API Gateway would send: only the fields that the kernel reads.
 * @param resource the route's path, as API Gateway names it: `/folder/{id}`
 */
export function apiEvent(
  { method, path, query, body, authorization }: ApiRequest,
  resource: string,
  pathParameters: Record<string, string> | null,
): APIGatewayProxyEvent {
  return {
    httpMethod: method,
    path,
    resource,
    pathParameters,
    headers: { authorization },
    multiValueHeaders: { authorization: [authorization] },
    queryStringParameters: null,
    multiValueQueryStringParameters: query ? Object.fromEntries(Object.entries(query).map(([name, value]) => [name, [value]])) : null,
    body: body === undefined ? null : JSON.stringify(body),
    isBase64Encoded: false,
    requestContext: { requestId: randomUUID(), identity: { sourceIp: '127.0.0.1' } },
  } as unknown as APIGatewayProxyEvent
}
