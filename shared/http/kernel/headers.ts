import httpCors from '@middy/http-cors'
import { type Kernel, type Middleware, setHeaders } from '../protocol/exchange.ts'
import { isOverTls } from '../protocol/viewer.ts'

/** Headers of a preflight's answer. */
export const preflightHeaders = {
  'Access-Control-Allow-Methods': 'GET, POST, PUT, DELETE, OPTIONS',
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, Idempotency-Key, If-Match, X-Csrf',
  'Access-Control-Max-Age': '86400',
}

/** Value of `Access-Control-Expose-Headers`: what scripts of other sites may read of an answer, besides what any script may. */
export function exposedHeaders(brand: string): string {
  return `${requestIdHeader(brand)}, ETag, Retry-After, Idempotency-Replayed`
}

/**
 * Lets any site read every answer, errors included. An answer that varies by more than its `Origin` names that in its own `Vary`. Credentials
 * are never allowed: clients authorize themselves by a header.
 */
export function cors({ settings: { brand } }: Kernel): Middleware {
  return httpCors({ getOrigin: (origin) => origin, exposeHeaders: exposedHeaders(brand), vary: 'Origin' }) as Middleware
}

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
    if (response) setHeaders(response, headers)
  }
  return { after: add, onError: add }
}

const secretAddressHeaders = {
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
}

/** The content security policy of answers that are no page. */
const NOTHING_RUNS = "default-src 'none'; frame-ancestors 'none'"

/** Headers for answers below a secret address: no site learns it, no robot lists it, and only a page runs scripts. */
export function unlisted(): Middleware {
  const add: Middleware['after'] = ({ response }) => {
    if (!response) return
    const policy = response.headers?.['Content-Security-Policy'] ?? NOTHING_RUNS
    setHeaders(response, { ...secretAddressHeaders, 'Content-Security-Policy': String(policy) })
  }
  return { after: add, onError: add }
}

/** `X-Svc-Request-Id` for brand `SVC`. */
export function requestIdHeader(brand: string): string {
  return `X-${brand[0]}${brand.slice(1).toLowerCase()}-Request-Id`
}
