import { CACHE_TAG_HEADER } from '../../backends/objects/port.ts'
import { Busy, Invalid, LibraryError } from '../../library/errors.ts'
import { cacheTag, LINK_CACHE_CONTROL } from '../../library/links/public-keys.ts'
import type { OriginAnswer } from '../../runtime/origin.ts'
import type { LinkId } from '../../vocabulary/ids.ts'
import { LINK_HEADERS } from './link-headers.ts'
import { retryAfterOf, statusOf } from './status.ts'

/** Seconds for which anybody keeps an error. */
const ERROR_SECONDS = 5

/** Headers of every answer that shows something of a link, as its origins give them. Edges keep it until they are told to forget it. */
export function linkHeaders(linkId: LinkId): Record<string, string> {
  return {
    ...LINK_HEADERS,
    'cache-control': LINK_CACHE_CONTROL,
    // The name under which S3 gives a label of an object: copies come from there.
    [CACHE_TAG_HEADER]: cacheTag(linkId),
  }
}

/** `Content-Disposition` of a rendered picture: its own format names the file, not that of the link. @param mime `image/…` */
export function pictureDisposition(linkId: LinkId, mime: string): string {
  return `inline; filename="${linkId}.${mime === 'image/jpeg' ? 'jpg' : mime.slice('image/'.length)}"`
}

/** The status of a link's answer. Viewers of a page do nothing too often: it is the host that can't do more. */
export function linkStatusOf(error: LibraryError): number {
  return error instanceof Busy ? 503 : statusOf(error)
}

/** An error as every endpoint answers it. What isn't the library's own tells nothing of itself. */
export function linkError(error: unknown): OriginAnswer {
  if (!(error instanceof LibraryError)) {
    return errorAnswer(500, 'no-store', { message: 'Something went wrong on our side. Please try again.', code: 'internal_error' })
  }
  const { message, code } = error
  const status = linkStatusOf(error)
  const seconds = retryAfterOf(error)
  const { headers, ...answer } = errorAnswer(status, status < 500 ? `public, max-age=${ERROR_SECONDS}` : 'no-store', {
    message,
    code,
    ...(error instanceof Invalid ? { errors: error.problems } : {}),
  })
  return { ...answer, headers: { ...headers, ...(seconds === undefined ? {} : { 'retry-after': String(seconds) }) } }
}

function errorAnswer(status: number, cacheControl: string, body: object): OriginAnswer {
  const headers = { ...LINK_HEADERS, 'content-type': 'application/json', 'cache-control': cacheControl }
  return { status, headers, body: Buffer.from(JSON.stringify(body)) }
}
