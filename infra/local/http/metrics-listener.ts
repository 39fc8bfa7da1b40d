import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Log } from '../../../shared/log/log.ts'
import type { RequestListener } from './http-server.ts'
import { isFromThisMachine } from './this-machine.ts'

export const METRICS_PATH = '/metrics'

/** Whether a request may read the metrics: it has the token, or comes from this machine. */
export function mayReadMetrics(request: IncomingMessage, token: string | undefined): boolean {
  const given = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
  if (token !== undefined && given !== undefined) return timingSafeEqual(sha256(given), sha256(token))
  return isFromThisMachine(request)
}

const sha256 = (text: string) => createHash('sha256').update(text).digest()

/** Answers `GET /metrics`, in Prometheus' text format. It must be asked by those who may read them. */
export function metricsListener(text: () => Promise<string>, log: Log): RequestListener {
  return async (_request, response, requestId) => {
    try {
      const body = await text()
      response.writeHead(200, {
        'Content-Type': 'text/plain; version=0.0.4; charset=utf-8',
        'Content-Length': Buffer.byteLength(body),
        'Cache-Control': 'no-store',
      })
      response.end(body)
    } catch (error) {
      log.error('the metrics failed', { id: requestId, error })
      response.writeHead(500).end()
    }
  }
}
