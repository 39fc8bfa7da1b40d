import type { IncomingMessage, ServerResponse } from 'node:http'
import type { DeliverySource } from '../../../shared/backends/edge/embedded.ts'
import type { Log } from '../../../shared/log/log.ts'
import { targetOf } from '../http/api-event.ts'
import { sendAnswer } from '../http/send-answer.ts'
import { deliver } from './deliver.ts'

/** Delivers signed URLs over HTTP, as CloudFront does on AWS. */
export function deliveryListener(source: DeliverySource, log: Log): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return async (request, response) => {
    const { path, query } = targetOf(request.url ?? '/')
    try {
      const url = query ? `${path}?${query}` : path
      const answer = await deliver({ method: request.method ?? 'GET', url, headers: request.headers }, source)
      await sendAnswer(request, response, answer)
    } catch (error) {
      log.error('delivery failed', { error })
      if (response.headersSent) response.destroy()
      else response.writeHead(500).end()
    }
  }
}
