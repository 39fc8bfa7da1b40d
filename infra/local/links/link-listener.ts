import type { Kernel } from '../../../shared/http/exchange.ts'
import { LINK_EXPOSED_HEADERS, LINK_HEADERS } from '../../../shared/http/link-headers.ts'
import { requestIdHeader } from '../../../shared/http/middleware/access-log.ts'
import { retryAfterOf, statusOf } from '../../../shared/http/status-of.ts'
import { Busy, LibraryError } from '../../../shared/library/errors.ts'
import type { Log } from '../../../shared/log/log.ts'
import { errorAnswer } from '../delivery/error-answer.ts'
import type { DeliveryAnswer } from '../delivery/object-answer.ts'
import { securityLabels } from '../delivery/security-labels.ts'
import { targetOf } from '../http/api-event.ts'
import type { RequestListener } from '../http/http-server.ts'
import { sendAnswer } from '../http/send-answer.ts'
import { answerLink, type LinkHost } from './link-answer.ts'

/** Where links are below the server's address: no route of the interface begins so. */
export const LINKS_PATH = '/-/links'

/** Answers links over HTTP, as CloudFront and the renderer do on AWS. */
export function linkListener(host: LinkHost, kernel: Kernel): RequestListener {
  const idHeader = requestIdHeader(kernel.settings.brand)
  const common = {
    ...securityLabels(kernel),
    ...LINK_HEADERS,
    'access-control-expose-headers': [...LINK_EXPOSED_HEADERS, idHeader].join(', '),
  }
  return async (request, response, requestId) => {
    try {
      const { path, query } = targetOf(request.url ?? '/')
      const below = path.slice(LINKS_PATH.length)
      const wanted = { method: request.method ?? 'GET', path: below, query, requestId, headers: request.headers }
      const found = await answerLink(host, wanted).catch((error) => refusal(error, requestId, kernel.log))
      const answer = found.status === 416 ? errorAnswer(416, requestId, outsideOfFile, found.headers) : found
      await sendAnswer(request, response, { ...answer, headers: { ...common, [idHeader]: requestId, ...answer.headers } })
    } catch (error) {
      kernel.log.error('the answer to a link broke off', { id: requestId, error })
      response.destroy()
    }
  }
}

/** The answer to what failed. What isn't the client's doing is logged. */
function refusal(error: unknown, requestId: string, log: Log): DeliveryAnswer {
  if (!(error instanceof LibraryError)) {
    log.error('unexpected error', { id: requestId, error })
    return errorAnswer(500, requestId, unexpected)
  }
  // Viewers of a page do nothing too often: it is the host that can't do more.
  const status = error instanceof Busy ? 503 : statusOf(error)
  const wait = retryAfterOf(error)
  return errorAnswer(status, requestId, error, wait === undefined ? {} : { 'retry-after': String(wait) })
}

const unexpected = { code: 'internal_error', message: 'Something went wrong on our side. Please quote the request id to support.' }
const outsideOfFile = { code: 'range_not_satisfiable', message: 'The range begins after the end of the file.' }
