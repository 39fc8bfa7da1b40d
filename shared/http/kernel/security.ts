import { type Kernel, label, type Middleware } from '../protocol/exchange.ts'
import { isOverTls } from '../protocol/viewer.ts'

const YEAR_SECONDS = 365 * 86_400

/**
 * Headers that make browsers trust the declared content type alone, and use TLS alone from then on.
 * @param overTls whether clients reach the API by TLS
 */
export function securityHeaders(overTls: boolean): Record<string, string> {
  return {
    'X-Content-Type-Options': 'nosniff',
    ...(overTls ? { 'Strict-Transport-Security': `max-age=${YEAR_SECONDS}` } : {}),
  }
}

/** Adds the headers to every answer, errors included. */
export function security(kernel: Kernel): Middleware {
  const headers = securityHeaders(isOverTls(kernel))
  const add: Middleware['after'] = ({ response }) => {
    if (response) label(response, headers)
  }
  return { after: add, onError: add }
}
