import { hasTag, weakTag } from '../protocol/etag.ts'
import { type ApiResult, header, label, type Middleware } from '../protocol/exchange.ts'

/** Only the caller's own cache may keep such an answer, and must ask each time whether it changed. */
export const REVALIDATED = 'private, no-cache'

/**
 * Gives successes a tag of their content. A client who has it gets 304 instead. An answer that its handler has given a tag keeps that one
 * (tagged.ts): then it isn't even made for such clients.
 */
export function revalidation(): Middleware {
  return {
    after: (request) => {
      const { response, event } = request
      if (request.context.exchange.isUnkept || response?.statusCode !== 200 || response.headers?.ETag !== undefined) return
      const etag = weakTag(...(response.pieces ?? [response.body]))
      const known = header(event, 'if-none-match')
      request.response = known !== undefined && hasTag(known, etag) ? notModified(etag) : withTag(response, etag)
    },
  }
}

/** 304: the client has this version, in the coding of a large answer or plain. */
export function notModified(etag: string): ApiResult {
  return { statusCode: 304, headers: { ETag: etag, 'Cache-Control': REVALIDATED, Vary: 'Origin, Accept-Encoding' }, body: '' }
}

/** The answer, labelled as this version. */
export function withTag(answer: ApiResult, etag: string): ApiResult {
  label(answer, { ETag: etag, 'Cache-Control': REVALIDATED })
  return answer
}
