import type { IncomingHttpHeaders } from 'node:http'
import type { ResolvedRange } from '../../../shared/backends/objects/ranges.ts'
import { httpDate, type Version, wholeSeconds } from '../../../shared/http/protocol/conditional-requests.ts'

/** The version of an object that the headers of a request are compared with. */
export interface Representation extends Version {
  bytes: number
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
  return condition === etag || httpDate(String(condition)) === wholeSeconds(modified)
}
