import { AI_HEADER, CACHE_TAG_HEADER } from '../../backends/objects/port.ts'
import { Busy, Invalid, LibraryError } from '../../library/errors.ts'
import type { AiLabel } from '../../library/links/labels.ts'
import { negotiates } from '../../library/links/presets.ts'
import { cacheTag, LINK_CACHE_CONTROL } from '../../library/links/public-keys.ts'
import type { OriginAnswer } from '../../runtime/origin.ts'
import type { LinkId } from '../../vocabulary/ids.ts'
import { retryAfterOf, statusOf } from './status.ts'

/**
 * The Content-Security-Policy of everything that a link shows. Users' files are hostile, and their host may be that of the API: no script of
 * an HTML or SVG file runs, its forms go nowhere, and it loads nothing from elsewhere. Pictures, videos and PDF files show as pages of their
 * own: browsers make a page around them, which needs its source and its style. There is no `sandbox`, and `object-src` is not `'none'`,
 * because Chrome's PDF viewer is an embedded object (crbug.com/271452).
 */
export const LINK_CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'none'",
  "img-src 'self' data:",
  "media-src 'self'",
  "object-src 'self'",
  "font-src 'self' data:",
  "style-src 'unsafe-inline'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

/** Headers of an answer that scripts of other sites may read. */
export const LINK_EXPOSED_HEADERS =
  'Accept-Ranges Age Content-Disposition Content-Length Content-Range ETag Link Link-AI Link-Ignored X-Cache'.split(' ')

/** Headers of every answer to a link, errors included: any site may show and read it, no browser runs it. */
export const LINK_HEADERS: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': LINK_EXPOSED_HEADERS.join(', '),
  'content-security-policy': LINK_CONTENT_SECURITY_POLICY,
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
}

/** Seconds for which caches keep an error. */
const ERROR_SECONDS = 5

/**
 * Headers of every answer that shows something of a link, as its origins give them. Edges keep it until it is purged.
 * @param tags by which edges are told to forget it, besides the link's
 */
export function linkHeaders(linkId: LinkId, tags: readonly string[] = []): Record<string, string> {
  return {
    ...LINK_HEADERS,
    'cache-control': LINK_CACHE_CONTROL,
    // The name under which S3 answers with the metadata of an object.
    [CACHE_TAG_HEADER]: [cacheTag(linkId), ...tags].join(','),
  }
}

/** Headers of every answer to a canonical query, errors included: what is made as the client accepts it varies. */
export function varyingHeaders(query: string): Record<string, string> {
  return negotiates(query) ? { vary: 'Accept' } : {}
}

/** The header `Link-AI` of what a link shows of a picture: how it came about, where that is more than a photograph. */
export function aiHeader(label: AiLabel | null): Record<string, string> {
  return label === null ? {} : { [AI_HEADER]: label }
}

/** `Content-Disposition` of a rendered picture: its own format names the file, not that of the link. @param mime `image/…` */
export function pictureDisposition(linkId: LinkId, mime: string): string {
  return `inline; filename="${linkId}.${mime === 'image/jpeg' ? 'jpg' : mime.slice('image/'.length)}"`
}

/** The status of a link's answer. A busy host is 503 instead of 429: the viewer of a page didn't ask too often. */
export function linkStatusOf(error: LibraryError): number {
  return error instanceof Busy ? 503 : statusOf(error)
}

/** An error in the form of all endpoints. An error that isn't the library's is a 500 without its message. */
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
