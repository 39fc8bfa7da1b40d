import { header, type Kernel, type Middleware } from '../exchange.ts'
import { requestIdHeader } from './access-log.ts'

/** Headers of a preflight's answer (decision 3). */
export const preflightHeaders = {
  'Access-Control-Allow-Methods': 'GET, POST, PUT, DELETE, OPTIONS',
  'Access-Control-Allow-Headers': 'Authorization, Content-Type',
  'Access-Control-Max-Age': '86400',
}

/** Cross-origin answers: the Origin comes back on every outcome. Credentials are never allowed: authorization is a header. */
export function cors({ settings }: Kernel): Middleware {
  const exposed = requestIdHeader(settings.brand)
  const label: Middleware['after'] = ({ event, response }) => {
    const origin = header(event, 'origin')
    if (!response) return
    response.headers = {
      ...response.headers,
      Vary: 'Origin',
      'Access-Control-Expose-Headers': exposed,
      ...(origin === undefined ? {} : { 'Access-Control-Allow-Origin': origin }),
    }
  }
  return { after: label, onError: label }
}
