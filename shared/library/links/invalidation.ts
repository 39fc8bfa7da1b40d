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
  /** Revision of the link that caused it, and the number of its file; absent: 1. */
  revision: number
  file?: number
}

/** Invalidation of a removed stream. */
export interface StreamInvalidation extends Asked {
  encodingId: EncodingId
}

/** Invalidation by a name that says it all: a cache tag, or a prefix of paths, which begins with `/`. */
export interface NamedInvalidation extends Asked {
  name: string
}

export type Invalidation = LinkInvalidation | StreamInvalidation | NamedInvalidation

/** One partition holds all of them, because one request names many. */
export const INVALIDATIONS = 'INVALIDATIONS'

const LINK = 'LINK#'
const STREAM = 'STREAM#'
const NAME = 'NAME#'

/** Sort keys of links, of streams, and of names. */
export const ofLinks = { beginsWith: LINK }
export const ofStreams = { beginsWith: STREAM }
export const ofNames = { beginsWith: NAME }

export const invalidationKey = (linkId: LinkId): Key => ({ pk: INVALIDATIONS, sk: `${LINK}${linkId}` })
export const streamInvalidationKey = (encodingId: EncodingId): Key => ({ pk: INVALIDATIONS, sk: `${STREAM}${encodingId}` })
export const namedInvalidationKey = (name: string): Key => ({ pk: INVALIDATIONS, sk: `${NAME}${name}` })

export function keyOfInvalidation(invalidation: Invalidation): Key {
  if ('linkId' in invalidation) return invalidationKey(invalidation.linkId)
  return 'name' in invalidation ? namedInvalidationKey(invalidation.name) : streamInvalidationKey(invalidation.encodingId)
}

/** Requests all pending invalidations. There is one such job, so that one request serves many links. */
export const invalidationJob = new JobKind<null>('invalidate-edges')

type Asking = Pick<Writing, 'clock' | 'by'>
type Forgotten = Pick<LinkRecord, 'linkId' | 'alias' | 'revision'> & { file?: number | undefined }

/**
 * The writes that ask for the invalidation of a link. They belong into the transaction that sets `stale` of the link.
 * @param link.revision the new revision of the link @param link.file the number of the file that it shows from now on
 */
export function forgetLink(library: Asking, { linkId, alias, revision, file }: Forgotten): Operations {
  const now = library.clock.now()
  const invalidation: LinkInvalidation = { linkId, alias, revision, ...(file !== undefined && { file }), since: now, notBefore: now }
  return { invalidation: { put: { ...invalidationKey(linkId), ...invalidation } }, ...askForInvalidation(library) }
}

/** The writes that ask for the invalidation of a removed stream. */
export function forgetStream(library: Asking, encodingId: EncodingId): Operations {
  const now = library.clock.now()
  const invalidation: StreamInvalidation = { encodingId, since: now, notBefore: now }
  return {
    [`invalidation ${encodingId}`]: { put: { ...streamInvalidationKey(encodingId), ...invalidation } },
    ...askForInvalidation(library),
  }
}

/** The writes that ask for invalidations by name. @param names at most 50: a transaction has no room for more */
export function forgetNames(library: Asking, names: readonly string[]): Operations {
  const now = library.clock.now()
  const puts = names.map((name) => {
    const invalidation: NamedInvalidation = { name, since: now, notBefore: now }
    return [`invalidation ${name}`, { put: { ...namedInvalidationKey(name), ...invalidation } }]
  })
  return { ...Object.fromEntries(puts), ...askForInvalidation(library) }
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
  if ('name' in invalidation) return invalidation.name.startsWith('/') ? { prefix: invalidation.name } : { tag: invalidation.name }
  return 'linkId' in invalidation ? { tag: cacheTag(invalidation.linkId) } : { prefix: `/${streamPrefix(invalidation.encodingId)}` }
}

/**
 * An area that can be invalidated as a whole: the links of an alias, which belong to one company, or all streams, which are never rendered again.
 * A name is an area of its own.
 */
function areaOf(invalidation: Invalidation): string {
  if ('name' in invalidation) return invalidation.name
  return 'encodingId' in invalidation ? `/${STREAMS}` : `/${invalidation.alias}/`
}
