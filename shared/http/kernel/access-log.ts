import { type Kernel, type Middleware, setHeaders } from '../protocol/exchange.ts'
import { requestIdHeader } from './headers.ts'

/** Logs one line per request: id, route, status, ms, user, key. It sees the final answer, but for a refusal that becomes a page. */
export function accessLog({ log, settings }: Kernel, route: string): Middleware {
  const idHeader = requestIdHeader(settings.brand)
  const finish: Middleware['after'] = (request) => {
    const { requestId, startedAt, caller } = request.context.exchange
    const response = request.response
    if (!response) return
    setHeaders(response, { [idHeader]: requestId })
    log.info('request', {
      id: requestId,
      route,
      method: request.event.httpMethod,
      status: response.statusCode,
      ms: Math.round((performance.now() - startedAt) * 10) / 10,
      user: caller?.kind === 'user' && !caller.opened ? caller.user.userId : undefined,
      share: caller?.kind === 'user' ? caller.opened?.shareId : undefined,
      key: caller && (caller.kind === 'user' ? caller.keyId : caller.key.keyId),
    })
  }
  return {
    after: finish,
    onError: finish,
  }
}
