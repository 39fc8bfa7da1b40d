import httpCors from '@middy/http-cors'
import type { Kernel, Middleware } from '../protocol/exchange.ts'
import { requestIdHeader } from './access-log.ts'

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
