import type { APIGatewayProxyResult } from 'aws-lambda'

/** A JSON answer. */
export function json(statusCode: number, body: unknown): APIGatewayProxyResult {
  return { statusCode, headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' }, body: JSON.stringify(body) }
}
