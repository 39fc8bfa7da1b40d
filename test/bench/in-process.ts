import { openEmbeddedBackend } from '../../infra/local/backend/embedded-backend.ts'
import { settingsAt } from '../../infra/local/settings.ts'
import { systemClock } from '../../shared/backends/clock/port.ts'
import type { Endpoint } from '../../shared/http/endpoint.ts'
import { apiHandler } from '../../shared/http/kernel/kernel.ts'
import { bufferedHandler } from '../../shared/http/kernel/lambda.ts'
import { splitRoute } from '../../shared/http/route.ts'
import { jsonLog } from '../../shared/log/json-log.ts'
import { defaultSettings } from '../../shared/settings.ts'
import { apiEvent } from '../support/api-event.ts'

/** One endpoint in this process, through the whole kernel on the embedded backend: what remains of a request without the network. */
interface InProcess extends AsyncDisposable {
  /** @param authorization value of the header. @returns the answer's body. @throws Error when its status isn't 200 */
  get(authorization: string, pathParameters?: Record<string, string>): Promise<string>
}

/** @param directory a data folder, also one that a server has open */
export async function inProcess(directory: string, endpoint: Endpoint): Promise<InProcess> {
  const baseUrl = 'http://127.0.0.1'
  const { backend, close } = await openEmbeddedBackend({ directory, baseUrl, mailSender: 'library@example.com', clock: systemClock })
  const settings = settingsAt(baseUrl, { ...defaultSettings, brand: process.env.BRAND || defaultSettings.brand })
  // Lines are made as always, and go nowhere.
  const kernel = { settings, clock: systemClock, log: jsonLog(() => undefined), baseUrl }
  const handler = bufferedHandler(apiHandler(endpoint, backend, kernel))
  const { path: resource } = splitRoute(endpoint.route(settings))
  return {
    async get(authorization, pathParameters = {}) {
      const path = resource.replace(/\{(\w+)\}/g, (_, name: string) => pathParameters[name] ?? '')
      const { statusCode, body } = await handler(apiEvent({ method: 'GET', path, authorization }, resource, pathParameters))
      if (statusCode !== 200) throw new Error(`GET ${path}: ${statusCode} ${body}`)
      return body
    },
    [Symbol.asyncDispose]: close,
  }
}
