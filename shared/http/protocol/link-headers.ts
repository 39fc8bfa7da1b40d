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
export const LINK_EXPOSED_HEADERS = ['Accept-Ranges', 'Age', 'Content-Disposition', 'Content-Length', 'Content-Range', 'ETag', 'X-Cache']

/** Headers of every answer to a link, errors included: any site may show and read it, no browser runs it. */
export const LINK_HEADERS: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': LINK_EXPOSED_HEADERS.join(', '),
  'content-security-policy': LINK_CONTENT_SECURITY_POLICY,
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
}
