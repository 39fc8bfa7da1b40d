import type { APIGatewayProxyResult } from 'aws-lambda'
import { json } from '../../../shared/http/answer.ts'
import { type AnsweredRequest, commonHeaders } from './common-headers.ts'

/** Refusals of the server itself, by status. Codes and messages are those of API Gateway's answers (infra/stack/gateway-responses.ts). */
const refusals = {
  400: { code: 'invalid_input', message: 'The request could not be understood.' },
  408: { code: 'timeout', message: 'The request took too long to arrive. Please try again.' },
  413: { code: 'too_large', message: 'The request is too large.' },
  431: { code: 'too_large', message: 'The headers of the request are too large.' },
  500: { code: 'internal_error', message: 'Something went wrong on our side. Please quote the request id to support.' },
} as const

export type GatewayStatus = keyof typeof refusals

/** An error that the server itself answers with: shape, request id and CORS headers are those of every other error. */
export function gatewayError(status: GatewayStatus, request: AnsweredRequest): APIGatewayProxyResult {
  const answer = json(status, { ...refusals[status], request_id: request.requestId })
  return { ...answer, headers: { ...answer.headers, ...commonHeaders(request) } }
}
