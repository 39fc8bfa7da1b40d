import { exposedHeaders, requestIdHeader, securityHeaders } from '../../../shared/http/kernel/headers.ts'

/** An answer that API Gateway makes without asking a function. */
interface GatewayResponse {
  statusCode?: string
  responseParameters: Record<string, string>
  responseTemplates: Record<string, string>
}

interface GatewayError {
  /** Absent for the two defaults, which keep the status of the error. */
  status?: number
  code: string
  message: string
}

/** Codes and messages are those of shared/http, so clients see no difference. */
const errors: Record<string, GatewayError> = {
  DEFAULT_4XX: { code: 'invalid_input', message: 'The request could not be understood.' },
  DEFAULT_5XX: { code: 'internal_error', message: 'Something went wrong on our side. Please quote the request id to support.' },
  // For a path without a method the gateway reads our tokens as signatures of its own, and answers with any of these.
  ...Object.fromEntries(
    ['ACCESS_DENIED', 'EXPIRED_TOKEN', 'INVALID_SIGNATURE', 'MISSING_AUTHENTICATION_TOKEN', 'RESOURCE_NOT_FOUND'].map((type) => [
      type,
      { status: 404, code: 'resource_not_found', message: 'There is no such resource.' },
    ]),
  ),
  REQUEST_TOO_LARGE: { status: 413, code: 'too_large', message: 'The request is too large.' },
  THROTTLED: { status: 429, code: 'too_many_requests', message: 'Too many requests. Please try again later.' },
  QUOTA_EXCEEDED: { status: 429, code: 'too_many_requests', message: 'Too many requests. Please try again later.' },
  INTEGRATION_FAILURE: {
    status: 500,
    code: 'internal_error',
    message: 'Something went wrong on our side. Please quote the request id to support.',
  },
  INTEGRATION_TIMEOUT: { status: 504, code: 'timeout', message: 'The request took too long. Please try again.' },
}

/**
 * `x-amazon-apigateway-gateway-responses`: gives errors that the gateway itself makes the shape, the request id and the CORS and security
 * headers of all other errors.
 */
export function gatewayResponses(brand: string): Record<string, GatewayResponse> {
  const idHeader = requestIdHeader(brand)
  const responseParameters = {
    'gatewayresponse.header.Access-Control-Allow-Origin': 'method.request.header.Origin',
    'gatewayresponse.header.Access-Control-Expose-Headers': `'${exposedHeaders(brand)}'`,
    'gatewayresponse.header.Cache-Control': "'no-store'",
    'gatewayresponse.header.Vary': "'Origin'",
    [`gatewayresponse.header.${idHeader}`]: 'context.requestId',
    ...Object.fromEntries(Object.entries(securityHeaders(true)).map(([name, value]) => [`gatewayresponse.header.${name}`, `'${value}'`])),
  }
  return Object.fromEntries(
    Object.entries(errors).map(([type, { status, code, message }]) => [
      type,
      {
        ...(status === undefined ? {} : { statusCode: String(status) }),
        responseParameters,
        // This is no VTL template: the gateway only replaces $context variables.
        responseTemplates: { 'application/json': JSON.stringify({ message, code, request_id: '$context.requestId' }) },
      },
    ]),
  )
}
