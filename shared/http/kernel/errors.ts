import { WriteConflict } from '../../backends/table/port.ts'
import { Conflict, DiskFull, Invalid, LibraryError, Unauthorized } from '../../library/errors.ts'
import { isOutOfSpace } from '../../out-of-space.ts'
import { type Endpoint, type EndpointAccess, schemesOf } from '../declaration/endpoint.ts'
import { RefusedOnPage } from '../declaration/page.ts'
import { challenge } from '../protocol/authorization.ts'
import { brandedText } from '../protocol/brand-field.ts'
import { type ApiResult, type Kernel, type Middleware, setHeaders, wantsPage } from '../protocol/exchange.ts'
import { retryAfterOf, statusOf } from '../protocol/status.ts'
import { viewerOf } from '../protocol/viewer.ts'
import { json, pageAnswer } from './answer.ts'

/**
 * Turns a thrown error into an answer. An error that isn't the library's is logged, and the answer tells nothing of it.
 * @param access of the endpoint: a 401 tells how to authorize
 */
export function errors({ log, settings, isDiskFull }: Kernel, access: EndpointAccess): Middleware {
  return {
    onError: (request) => {
      const { requestId } = request.context.exchange
      const thrown = request.error
      if (thrown instanceof RefusedOnPage && wantsPage(request.event)) {
        request.response = { ...pageAnswer(thrown.page), statusCode: statusOf(thrown.refusal) }
        return
      }
      const known = asLibraryError(thrown)
      if (!known) log.error('unexpected error', { id: requestId, error: thrown })
      // SQLite tells of a full disk in several ways.
      const error = known ?? (isOutOfSpace(thrown) || isDiskFull?.() ? new DiskFull() : undefined)
      request.response = error ? answerOf(error, requestId, { settings }) : json(500, { ...unexpected, request_id: requestId })
      if (error instanceof Unauthorized) {
        setHeaders(request.response, { 'WWW-Authenticate': challenge(settings.brand, schemesOf(access)) })
      }
    },
  }
}

const unexpected = { message: 'Something went wrong on our side. Please quote the request id to support.', code: 'internal_error' }

/** A write conflict that outlasts the retries is a 409: the client may try again. An unreachable store stays a 500. */
function asLibraryError(error: unknown): LibraryError | undefined {
  if (error instanceof LibraryError) return error
  if (error instanceof RefusedOnPage) return error.refusal
  if (error instanceof WriteConflict) return new Conflict()
  return undefined
}

/** The answer that a refusal is. */
export function answerOf(error: LibraryError, requestId: string, { settings: { brand } }: Pick<Kernel, 'settings'>): ApiResult {
  const branded = (text: string) => brandedText(text, brand)
  const problems = error instanceof Invalid ? { errors: error.problems.map(({ path, message }) => ({ path: branded(path), message })) } : {}
  const result = json(statusOf(error), {
    message: branded(error.message),
    code: error.code,
    request_id: requestId,
    ...problems,
    ...error.details,
  })
  const retryAfter = retryAfterOf(error)
  if (retryAfter !== undefined) setHeaders(result, { 'Retry-After': String(retryAfter) })
  return result
}

/**
 * Leads a browser to a page that tells a person why they are refused, where programs get JSON. It stands outside of the log, which keeps the
 * status of the refusal.
 */
export function refusalPage(kernel: Kernel, path: NonNullable<Endpoint['refusedOn']>): Middleware {
  return {
    onError: ({ event, error, response }) => {
      if (!response || !wantsPage(event)) return
      const code = error instanceof LibraryError ? error.code : 'internal_error'
      response.statusCode = 302
      response.body = ''
      delete response.headers?.['Content-Type']
      setHeaders(response, { Location: `${viewerOf(event, kernel).baseUrl}${path}?${new URLSearchParams({ refused: code })}` })
    },
  }
}
