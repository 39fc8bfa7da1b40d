import type { Key, Operations } from '../../backends/table/port.ts'
import { type EncodingId, type LinkId, toCompanyId } from '../../vocabulary/ids.ts'
import { JobKind } from '../jobs/job.ts'
import type { Writing } from '../library.ts'
import type { LinkRecord } from '../media/link.ts'
import { cacheTag, STREAMS, streamPrefix } from './public-keys.ts'

/** The state of an invalidation. */
interface Asked {
  /** From this time on origins answer with the new state. UNIX milliseconds */
  since: number
  /** Earliest time of the next request. UNIX milliseconds */
  notBefore: number
  /** The running request: its id at the edge cache, and its time in UNIX milliseconds. Absent before the request. */
  request?: string
  requested?: number
  /** The path prefix of this or the former request; absent where a tag was requested. */
  prefix?: string
}

/** Invalidation of a link. A later one replaces an earlier one of the same link. */
export interface LinkInvalidation extends Asked {
  linkId: LinkId
  alias: string
  /** Revision of the link that caused it. */
  revision: number
}

/** Invalidation of a removed stream. */
export interface StreamInvalidation extends Asked {
  encodingId: EncodingId
}

export type Invalidation = LinkInvalidation | StreamInvalidation

/** One partition holds all of them, because one request names many. */
export const INVALIDATIONS = 'INVALIDATIONS'

const LINK = 'LINK#'
const STREAM = 'STREAM#'

/** Sort keys of links, and of streams. */
export const ofLinks = { beginsWith: LINK }
export const ofStreams = { beginsWith: STREAM }

export const invalidationKey = (linkId: LinkId): Key => ({ pk: INVALIDATIONS, sk: `${LINK}${linkId}` })
export const streamInvalidationKey = (encodingId: EncodingId): Key => ({ pk: INVALIDATIONS, sk: `${STREAM}${encodingId}` })

export const keyOfInvalidation = (invalidation: Invalidation): Key =>
  'linkId' in invalidation ? invalidationKey(invalidation.linkId) : streamInvalidationKey(invalidation.encodingId)

/** Requests all pending invalidations. There is one such job, so that one request serves many links. */
export const invalidationJob = new JobKind<null>('invalidate-edges')

type Asking = Pick<Writing, 'clock' | 'by'>

/**
 * The writes that ask for the invalidation of a link. They belong into the transaction that sets `stale` of the link.
 * @param link.revision the new revision of the link
 */
export function forgetLink(library: Asking, { linkId, alias, revision }: Pick<LinkRecord, 'linkId' | 'alias' | 'revision'>): Operations {
  const now = library.clock.now()
  const invalidation: LinkInvalidation = { linkId, alias, revision, since: now, notBefore: now }
  return { invalidation: { put: { ...invalidationKey(linkId), ...invalidation } }, ...askForInvalidation(library) }
}

/** The writes that ask for the invalidation of a removed stream. */
export function forgetStream(library: Asking, encodingId: EncodingId): Operations {
  const now = library.clock.now()
  const invalidation: StreamInvalidation = { encodingId, since: now, notBefore: now }
  return { invalidation: { put: { ...streamInvalidationKey(encodingId), ...invalidation } }, ...askForInvalidation(library) }
}

/** The write that asks for the job. */
export const askForInvalidation = (library: Asking): Operations => ({
  edges: invalidationJob.ask(library, { companyId: toCompanyId(0), subject: 'edges', input: null }),
})

/**
 * Most invalidations of an area that are requested one by one; above, the whole area is. A path costs half a cent, for one link or a whole alias.
 * The rest of the area is then fetched or rendered again: some 300 pictures for half a cent.
 */
export const MOST_OF_AREA = 100

/** The name of an invalidation in a request: a tag or a path prefix. */
export type Naming = { tag: string } | { prefix: string }

/** @param pending all invalidations that are not done @returns the name of each in the next request */
export function namingOf(pending: readonly Invalidation[]): (invalidation: Invalidation) => Naming {
  const crowded = new Set<string>()
  for (const [area, those] of Map.groupBy(pending, areaOf)) {
    if (those.length > MOST_OF_AREA) crowded.add(area)
  }
  return (invalidation) => {
    const area = areaOf(invalidation)
    return crowded.has(area) ? { prefix: area } : lastNamingOf(invalidation)
  }
}

/** The name in the former request. The second request of a crowded area costs one path, too. */
export function lastNamingOf(invalidation: Invalidation): Naming {
  const { prefix } = invalidation
  if (prefix !== undefined) return { prefix }
  return 'linkId' in invalidation ? { tag: cacheTag(invalidation.linkId) } : { prefix: `/${streamPrefix(invalidation.encodingId)}` }
}

/** An area that can be invalidated as a whole: the links of an alias, which belong to one company, or all streams, which are never rendered again. */
const areaOf = (invalidation: Invalidation): string => ('encodingId' in invalidation ? `/${STREAMS}` : `/${invalidation.alias}/`)
