import { type Kernel, label, type Middleware } from '../protocol/exchange.ts'

/** Logs one line per request: id, route, status, ms, user, key. It sees the final answer, but for a refusal that becomes a page. */
export function accessLog({ log, settings }: Kernel, route: string): Middleware {
  const idHeader = requestIdHeader(settings.brand)
  const finish: Middleware['after'] = (request) => {
    const { requestId, startedAt, caller } = request.context.exchange
    const response = request.response
    if (!response) return
    label(response, { [idHeader]: requestId })
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

/** `X-Svc-Request-Id` for brand `SVC`. */
export function requestIdHeader(brand: string): string {
  return `X-${brand[0]}${brand.slice(1).toLowerCase()}-Request-Id`
}
