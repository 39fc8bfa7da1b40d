import { LINK_HEADERS } from '../../../shared/http/protocol/link-answer.ts'
import { DELIVERY_CACHE_CONTROL } from '../../../shared/library/media/delivery.ts'
import { streamCacheControl } from '../../../shared/library/videos/objects.ts'
import { PLAYLIST } from '../../../shared/vocabulary/video.ts'
import type { HeadersOfAnswers } from './headers-config.ts'

/** Any site may show what a link shows, and scripts of users' files don't run. */
const links = (more: Readonly<Record<string, string>> = {}): HeadersOfAnswers => ({
  comment: 'Links: shown anywhere, without scripts',
  headers: { ...LINK_HEADERS, ...more },
})

/**
 * Headers that are the same in every stack, whatever its settings. MediaConvert stores the files of streams without labels, so they get their
 * `Cache-Control` here. Errors carry it, too: a file of a stream is there before its playlist is, or never.
 */
export const sharedHeaders = {
  links: links(),
  playlists: links({ 'cache-control': streamCacheControl(PLAYLIST) }),
  segments: links({ 'cache-control': streamCacheControl('segment') }),
  /** Users' files are hostile: whatever they are, a browser must not run them as a page of this host. Any site may show them. */
  files: {
    comment: 'User files: never a page of this host',
    headers: {
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'Accept-Ranges, Content-Disposition, Content-Length, Content-Range, ETag',
      'cache-control': DELIVERY_CACHE_CONTROL,
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'x-content-type-options': 'nosniff',
    },
  },
} as const satisfies Record<string, HeadersOfAnswers>

export type SharedHeaders = keyof typeof sharedHeaders
