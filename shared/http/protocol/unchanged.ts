import { hasTag } from './etag.ts'

/** Headers by which a client says which version it has. */
export interface KnownVersion {
  'if-none-match'?: string | undefined
  'if-modified-since'?: string | undefined
}

/** The validators of a version. */
export interface Version {
  /** In quotes. */
  etag: string
  /** UTC, milliseconds since the epoch; NaN where not known. */
  modified: number
}

/** Headers that tell a version. */
export function versionHeaders({ etag, modified }: Version): { etag: string; 'last-modified'?: string } {
  return { etag, ...(Number.isNaN(modified) ? {} : { 'last-modified': new Date(modified).toUTCString() }) }
}

/** Whether the client of a GET or HEAD has this version already: `If-None-Match`, or without it `If-Modified-Since` (RFC 9110, 13.2.2). */
export function isUnchanged(headers: KnownVersion, { etag, modified }: Version): boolean {
  const known = headers['if-none-match']
  if (known !== undefined) return hasTag(known, etag)
  return wholeSeconds(modified) <= httpDate(headers['if-modified-since'] ?? '')
}

/** Dates in HTTP have whole seconds. */
export const wholeSeconds = (time: number): number => Math.floor(time / 1000) * 1000

/** The form of today, and the two obsolete ones (RFC 9110, 5.6.7). The last one names no zone: it is UTC. */
const HTTP_DATE = /^(?:\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT|\w{6,9}, \d\d-\w{3}-\d\d [\d:]{8} GMT|\w{3} \w{3} [ \d]\d [\d:]{8} \d{4})$/

/** @returns UNIX milliseconds; NaN for a text that is no date of HTTP */
export function httpDate(text: string): number {
  if (!HTTP_DATE.test(text)) return Number.NaN
  return Date.parse(text.endsWith(' GMT') ? text : `${text} GMT`)
}
