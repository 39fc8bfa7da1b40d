import { createHash } from 'node:crypto'
import { Invalid } from '../../library/errors.ts'
import { type ApiEvent, headerValues } from './exchange.ts'

/** Whether an `If-None-Match` names the version of this tag, weak or strong (RFC 9110, 13.1.2). */
export function hasTag(known: string, etag: string): boolean {
  const wanted = opaque(etag)
  return known.trim() === '*' || known.match(QUOTED)?.includes(wanted) === true
}

/** The part of an entity tag that is compared. It may have commas in it. */
const QUOTED = /"[\x21\x23-\x7e\x80-\xff]*"/g

const opaque = (tag: string) => tag.replace(/^W\//, '')

/** A weak tag: the same answer has it in every content coding. */
export function weakTag(...parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return `W/"${hash.digest('base64url')}"`
}

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

/** An entity tag and the comma behind it, or an empty element of the list (RFC 9110, 5.6.1 and 8.8.3). */
const ELEMENT = /[ \t]*(?:((?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")[ \t]*)?(?:,|$)/y

/**
 * The versions that an `If-Match` names (RFC 9110, 13.1.1). Weak tags never match, nor do tags that are no version.
 * @returns undefined where any version will do
 * @throws Invalid for what is no list of entity tags
 */
export function expectedVersions(event: Pick<ApiEvent, 'headers' | 'multiValueHeaders'>): readonly number[] | undefined {
  const values = headerValues(event, 'if-match')
  if (values.length === 0) return undefined
  const list = values.join(',')
  if (list.trim() === '*') return undefined
  return tagsOf(list).flatMap((tag) => (/^"[1-9][0-9]{0,15}"$/.test(tag) ? [Number(tag.slice(1, -1))] : []))
}

function tagsOf(list: string): string[] {
  const tags: string[] = []
  for (let at = 0; at < list.length; at = ELEMENT.lastIndex) {
    ELEMENT.lastIndex = at
    const element = ELEMENT.exec(list)
    if (!element) throw new Invalid({ path: 'If-Match', message: NO_TAGS })
    if (element[1] !== undefined) tags.push(element[1])
  }
  if (tags.length === 0) throw new Invalid({ path: 'If-Match', message: NO_TAGS })
  return tags
}

const NO_TAGS = 'must be * or entity tags such as "3"'

/** The entity tag of a version: a strong one. */
export const versionTag = (version: number): string => `"${version}"`
