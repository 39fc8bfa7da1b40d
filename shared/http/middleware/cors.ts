import { header, type Kernel, label, type Middleware } from '../exchange.ts'
import { requestIdHeader } from './access-log.ts'

/** Headers of a preflight's answer. */
export const preflightHeaders = {
  'Access-Control-Allow-Methods': 'GET, POST, PUT, DELETE, OPTIONS',
  'Access-Control-Allow-Headers': 'Authorization, Content-Type',
  'Access-Control-Max-Age': '86400',
}

/** Headers that let other sites read an answer, errors included. @param origin the request's `Origin` */
export function corsHeaders(brand: string, origin: string | undefined): Record<string, string> {
  return {
    Vary: 'Origin',
    'Access-Control-Expose-Headers': requestIdHeader(brand),
    ...(origin === undefined ? {} : { 'Access-Control-Allow-Origin': origin }),
  }
}

/** Adds the CORS headers to every answer. Credentials are never allowed: clients authorize themselves by a header. */
export function cors({ settings }: Kernel): Middleware {
  const add: Middleware['after'] = ({ event, response }) => {
    if (!response) return
    const own = response.headers ?? {}
    const added = corsHeaders(settings.brand, header(event, 'origin'))
    if (own.Vary !== undefined) added.Vary += `, ${own.Vary}`
    if (own.ETag !== undefined) added['Access-Control-Expose-Headers'] += ', ETag'
    label(response, added)
  }
  return { after: add, onError: add }
}
