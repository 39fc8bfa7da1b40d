import { apiListener } from '../../infra/local/http/api-listener.ts'
import { CLIENT_LIMITS } from '../../infra/local/http/client-limits.ts'
import { listen } from '../../infra/local/http/http-server.ts'
import { router } from '../../infra/local/http/router.ts'
import { settingsAt } from '../../infra/local/settings.ts'
import { systemClock } from '../../shared/backends/clock/port.ts'
import type { Endpoint } from '../../shared/http/declaration/endpoint.ts'
import { type ApiHandler, apiHandler, fallbackHandler } from '../../shared/http/kernel/kernel.ts'
import { jsonLog } from '../../shared/log/json-log.ts'
import { defaultSettings } from '../../shared/settings.ts'

export type Serving = Awaited<ReturnType<typeof serve>>

/** The handler of one endpoint that anyone may call and that uses nothing, without a network. */
export function handlerOf(endpoint: Endpoint): ApiHandler {
  const settings = settingsAt('http://127.0.0.1', defaultSettings)
  return apiHandler(endpoint, {}, { settings, clock: systemClock, log: jsonLog(() => undefined), baseUrl: settings.cdnUrl })
}

/** Endpoints of a test's own, which anyone may call and which use nothing, behind the real kernel and the real server. */
export async function serve(endpoints: Record<string, Endpoint>) {
  const limits = { ...CLIENT_LIMITS, connections: { total: 50, perSource: 50 } }
  const http = await listen({ host: '127.0.0.1', port: 0, brand: 'SVC', overTls: false, limits })
  const baseUrl = `http://127.0.0.1:${http.port}`
  const settings = settingsAt(baseUrl, defaultSettings)
  const kernel = { settings, clock: systemClock, log: jsonLog(() => undefined), baseUrl }
  const destinationOf = router(endpoints, settings, (endpoint) => apiHandler(endpoint, {}, kernel), fallbackHandler(kernel))
  http.serve(apiListener(destinationOf, kernel))
  return { baseUrl, port: http.port, [Symbol.asyncDispose]: () => http.close(0) }
}
