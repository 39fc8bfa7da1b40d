import type { IncomingHttpHeaders } from 'node:http'
import type { ResolvedRange } from '../../../shared/backends/objects/ranges.ts'
import { hasTag } from '../../../shared/http/etag.ts'

/** The version of an object that the headers of a request are compared with. */
export interface Representation {
  /** In quotes. */
  etag: string
  /** UTC, milliseconds since the epoch. */
  modified: number
  bytes: number
}

/** Whether the client has this version already: `If-None-Match`, or without it `If-Modified-Since` (RFC 9110, 13.2.2). */
export function isUnchanged(headers: IncomingHttpHeaders, { etag, modified }: Representation): boolean {
  const known = headers['if-none-match']
  if (known !== undefined) return hasTag(known, etag)
  return wholeSeconds(modified) <= Date.parse(headers['if-modified-since'] ?? '')
}

/**
 * The part that a request asks for (RFC 9110, 14.2).
 * @returns `outside` for a range without a byte of the representation; undefined for the whole: without a `Range`, with one that is malformed,
 * has several parts or another unit, and with an `If-Range` that no longer holds
 */
export function rangeOf(headers: IncomingHttpHeaders, representation: Representation): ResolvedRange | 'outside' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(headers.range ?? '') ?? []
  if ((first === '' && last === '') || !ifRangeHolds(headers['if-range'], representation)) return undefined
  const end = representation.bytes - 1
  if (first === '') return Number(last) === 0 || end < 0 ? 'outside' : { start: Math.max(0, end + 1 - Number(last)), end }
  if (last !== '' && Number(last) < Number(first)) return undefined
  return Number(first) > end ? 'outside' : { start: Number(first), end: last === '' ? end : Math.min(Number(last), end) }
}

function ifRangeHolds(condition: string | string[] | undefined, { etag, modified }: Representation): boolean {
  if (condition === undefined) return true
  return condition === etag || Date.parse(String(condition)) === wholeSeconds(modified)
}

/** Dates in HTTP have whole seconds. */
function wholeSeconds(time: number): number {
  return Math.floor(time / 1000) * 1000
}
