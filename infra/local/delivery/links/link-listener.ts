import { requestIdHeader } from '../../../../shared/http/kernel/headers.ts'
import type { Kernel } from '../../../../shared/http/protocol/exchange.ts'
import { LINK_EXPOSED_HEADERS, LINK_HEADERS, linkStatusOf } from '../../../../shared/http/protocol/link-answer.ts'
import { retryAfterOf } from '../../../../shared/http/protocol/status.ts'
import { DiskFull, LibraryError } from '../../../../shared/library/errors.ts'
import type { Log } from '../../../../shared/log/log.ts'
import { networksOf } from '../../../../shared/network.ts'
import { isOutOfSpace } from '../../../../shared/out-of-space.ts'
import { sourceAddress, targetOf } from '../../http/api-event.ts'
import type { RequestListener } from '../../http/http-server.ts'
import { sendAnswer } from '../../http/send-answer.ts'
import { errorAnswer } from '../error-answer.ts'
import type { DeliveryAnswer } from '../object-answer.ts'
import { securityLabels } from '../security-labels.ts'
import { answerLink, type LinkHost } from './link-answer.ts'

/** Where links are below the server's address: no route of the interface begins so. */
export const LINKS_PATH = '/-/links'

/**
 * Answers links over HTTP, as CloudFront and the renderer do on AWS.
 * @param behindProxy whether a proxy on this machine tells the client's address
 */
export function linkListener(host: LinkHost, kernel: Kernel, behindProxy = false): RequestListener {
  const idHeader = requestIdHeader(kernel.settings.brand)
  const common = {
    ...securityLabels(kernel),
    ...LINK_HEADERS,
    'access-control-expose-headers': [...LINK_EXPOSED_HEADERS, idHeader].join(', '),
  }
  return async (request, response, requestId) => {
    const leaving = new AbortController()
    response.once('close', () => leaving.abort())
    const [source] = networksOf(sourceAddress(request, behindProxy))
    const client = { source, left: leaving.signal }
    const labels: Record<string, string> = {}
    try {
      const { path, query } = targetOf(request.url ?? '/')
      const below = path.slice(LINKS_PATH.length)
      const { method = 'GET', headers } = request
      const wanted = { method, path: below, query, requestId, accept: headers.accept, headers, client, labels }
      const found = await answerLink(host, wanted).catch((error) => {
        leaving.signal.throwIfAborted()
        return refusal(error, requestId, kernel.log)
      })
      const answer = found.status === 416 ? errorAnswer(416, requestId, outsideOfFile, found.headers) : found
      const exposed = { 'access-control-expose-headers': common['access-control-expose-headers'] }
      const sent = { ...common, [idHeader]: requestId, ...labels, ...answer.headers, ...exposed }
      await sendAnswer(request, response, { ...answer, headers: sent })
    } catch (error) {
      if (leaving.signal.aborted) return
      kernel.log.error('the answer to a link broke off', { id: requestId, error })
      response.destroy()
    }
  }
}

/** The answer to what failed. What isn't the client's doing is logged. */
function refusal(thrown: unknown, requestId: string, log: Log): DeliveryAnswer {
  if (!(thrown instanceof LibraryError)) log.error('unexpected error', { id: requestId, error: thrown })
  const error = isOutOfSpace(thrown) ? new DiskFull() : thrown
  if (!(error instanceof LibraryError)) return errorAnswer(500, requestId, unexpected)
  const wait = retryAfterOf(error)
  return errorAnswer(linkStatusOf(error), requestId, error, wait === undefined ? {} : { 'retry-after': String(wait) })
}

const unexpected = { code: 'internal_error', message: 'Something went wrong on our side. Please quote the request id to support.' }
const outsideOfFile = { code: 'range_not_satisfiable', message: 'The range begins after the end of the file.' }
