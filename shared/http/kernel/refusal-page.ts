import { LibraryError } from '../../library/errors.ts'
import type { Endpoint } from '../declaration/endpoint.ts'
import { type Kernel, label, type Middleware, wantsPage } from '../protocol/exchange.ts'
import { viewerOf } from '../protocol/viewer.ts'

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
      label(response, { Location: `${viewerOf(event, kernel).baseUrl}${path}?${new URLSearchParams({ refused: code })}` })
    },
  }
}
