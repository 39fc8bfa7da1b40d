import { type Kernel, label, type Middleware } from '../exchange.ts'

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

/** Whether clients reach the API by TLS: always on AWS, on one machine where its proxy does. */
export function isOverTls({ baseUrl }: Pick<Kernel, 'baseUrl'>): boolean {
  return baseUrl === undefined || baseUrl.startsWith('https:')
}

/** Adds the headers to every answer, errors included. */
export function security(kernel: Kernel): Middleware {
  const headers = securityHeaders(isOverTls(kernel))
  const add: Middleware['after'] = ({ response }) => {
    if (response) label(response, headers)
  }
  return { after: add, onError: add }
}
