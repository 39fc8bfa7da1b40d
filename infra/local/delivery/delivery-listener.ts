import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import type { DeliverySource } from '../../../shared/backends/edge/embedded.ts'
import type { Log } from '../../../shared/log/log.ts'
import { targetOf } from '../http/proxy-event.ts'
import { deliver } from './deliver.ts'

/** How long a client may read nothing before its connection is closed, in milliseconds. */
const IDLE_TIMEOUT = 60_000

/** Delivers signed URLs over HTTP, as CloudFront does on AWS. */
export function deliveryListener(source: DeliverySource, log: Log): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return async (request, response) => {
    response.setTimeout(IDLE_TIMEOUT, () => response.destroy())
    const { path, query } = targetOf(request.url ?? '/')
    try {
      const url = query ? `${path}?${query}` : path
      const { status, headers, body } = await deliver({ method: request.method ?? 'GET', url, headers: request.headers }, source)
      response.writeHead(status, headers)
      if (body === undefined || typeof body === 'string') response.end(body)
      else await pipeline(body, response)
    } catch (error) {
      // A client may stop reading, as players do when they seek. That is no failure.
      if (response.destroyed || (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE') return
      log.error('delivery failed', { error })
      if (response.headersSent) response.destroy()
      else response.writeHead(500).end()
    }
  }
}
