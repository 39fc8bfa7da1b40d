import type { APIGatewayProxyResult } from 'aws-lambda'
import { json } from '../../../shared/http/answer.ts'
import { type Asked, commonHeaders } from './common-headers.ts'

/** What the server refuses before any endpoint sees it, by status. Codes and words are those of the deployed gateway's own answers. */
const refusals = {
  400: { code: 'invalid_input', message: 'The request could not be understood.' },
  408: { code: 'timeout', message: 'The request took too long to arrive. Please try again.' },
  413: { code: 'too_large', message: 'The request is too large.' },
  431: { code: 'too_large', message: 'The headers of the request are too large.' },
  500: { code: 'internal_error', message: 'Something went wrong on our side. Please quote the request id to support.' },
} as const

export type GatewayStatus = keyof typeof refusals

/** An error that the server makes itself, in the shape, with the request id and the CORS headers of all others. */
export function gatewayError(status: GatewayStatus, asked: Asked): APIGatewayProxyResult {
  const answer = json(status, { ...refusals[status], request_id: asked.requestId })
  return { ...answer, headers: { ...answer.headers, ...commonHeaders(asked) } }
}
