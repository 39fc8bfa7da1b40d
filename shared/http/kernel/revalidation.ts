import type { Caller } from '../../library/access/caller.ts'
import type { EtagParts } from '../declaration/results.ts'
import { hasTag, weakTag } from '../protocol/conditional-requests.ts'
import { type ApiEvent, type ApiResult, header, type Middleware, setHeaders } from '../protocol/exchange.ts'

/** Only the caller's own cache may keep such an answer, and must ask each time whether it changed. */
export const REVALIDATED = 'private, no-cache'

/**
 * Gives each success the hash of its content as its tag. A client who has it gets 304 instead. An answer by `withEtag()` keeps its own tag.
 */
export function revalidation(): Middleware {
  return {
    after: (request) => {
      const { response, event } = request
      if (request.context.exchange.isNoStore || response?.statusCode !== 200 || response.headers?.ETag !== undefined) return
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
  setHeaders(answer, { ETag: etag, 'Cache-Control': REVALIDATED })
  return answer
}

/**
 * The tag of an answer that is made of data of these versions.
 * @param version of the service: other code makes other answers of the same data
 */
export function tagOf(parts: EtagParts, event: ApiEvent, caller: Caller | undefined, version: string): string {
  const asked = [event.resource, event.pathParameters, event.multiValueQueryStringParameters]
  return weakTag(JSON.stringify([version, asked, callerId(caller), parts]))
}

function callerId(caller: Caller | undefined): readonly [kind: string, id: number] | undefined {
  return caller && [caller.kind, caller.kind === 'user' ? caller.user.userId : caller.key.keyId]
}

/** An answer under its tag, or 304 for a client who has it. */
export async function taggedAnswer(etag: string, known: string | undefined, make: () => Promise<ApiResult>): Promise<ApiResult> {
  return known !== undefined && hasTag(known, etag) ? notModified(etag) : withTag(await make(), etag)
}
