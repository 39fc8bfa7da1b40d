import { randomUUID } from 'node:crypto'
import type { APIGatewayProxyEvent } from 'aws-lambda'

/** A request to the API without a network, for handlers that are asked in process. */
export interface ApiRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  body?: unknown
  /** Value of the header. */
  authorization: string
}

/**
 * The event that a function would get, as far as anything reads it.
 * @param resource the route's path, as API Gateway names it: `/folder/{id}`
 */
export function apiEvent(
  { method, path, body, authorization }: ApiRequest,
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
    multiValueQueryStringParameters: null,
    body: body === undefined ? null : JSON.stringify(body),
    isBase64Encoded: false,
    requestContext: { requestId: randomUUID(), identity: { sourceIp: '127.0.0.1' } },
  } as unknown as APIGatewayProxyEvent
}
