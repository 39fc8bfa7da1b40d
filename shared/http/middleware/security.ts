import type { Kernel, Middleware } from '../exchange.ts'

const YEAR_SECONDS = 365 * 86_400

/**
 * What tells browsers to take an answer for nothing but what it says it is, and to come back by TLS only.
 * @param overTls whether clients reach the API by TLS
 */
export function securityHeaders(overTls: boolean): Record<string, string> {
  return {
    'X-Content-Type-Options': 'nosniff',
    ...(overTls ? { 'Strict-Transport-Security': `max-age=${YEAR_SECONDS}` } : {}),
  }
}

/** Whether clients reach the API by TLS: always on AWS, and on one machine where the proxy before it speaks TLS. */
export function isOverTls({ baseUrl }: Pick<Kernel, 'baseUrl'>): boolean {
  return baseUrl === undefined || baseUrl.startsWith('https:')
}

/** Puts the headers on every answer, whatever its outcome. */
export function security(kernel: Kernel): Middleware {
  const headers = securityHeaders(isOverTls(kernel))
  const label: Middleware['after'] = ({ response }) => {
    if (response) response.headers = { ...response.headers, ...headers }
  }
  return { after: label, onError: label }
}
