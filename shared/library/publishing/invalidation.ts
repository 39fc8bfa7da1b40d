import type { Key, Operations } from '../../backends/table/port.ts'
import { type EncodingId, type LinkId, toCompanyId } from '../../vocabulary/ids.ts'
import { JobKind } from '../jobs/job.ts'
import type { Writing } from '../library.ts'
import type { LinkRecord } from '../links/link.ts'
import { cacheTag } from '../links/public-keys.ts'
import { videoObjects } from '../videos/objects.ts'

/** How far edges are. */
interface Asked {
  /** Since then no origin begins an answer with what is to be forgotten. UNIX milliseconds */
  since: number
  /** Edges are asked not earlier. UNIX milliseconds */
  notBefore: number
  /** The request that edges work on: its id at the edge cache, and when it was made in UNIX milliseconds. Absent: they are to be asked. */
  request?: string
  requested?: number
  /** What the paths begin with that edges were asked to forget, also in the round before; absent where they were asked by a tag. */
  prefix?: string
}

/** Edges are to forget what they keep of a link. There is one a link: a later one takes the place of an earlier one. */
export interface LinkInvalidation extends Asked {
  linkId: LinkId
  /** Absent in records from before edges were asked for whole aliases. */
  alias?: string
  /** Revision of the link that made it necessary. */
  revision: number
}

/** Edges are to forget a stream that is removed. */
export interface StreamInvalidation extends Asked {
  encodingId: EncodingId
}

export type Invalidation = LinkInvalidation | StreamInvalidation

/** All of them are in one partition, because edges are asked for many at a time. */
export const INVALIDATIONS = 'INVALIDATIONS'

const LINK = 'LINK#'
const STREAM = 'STREAM#'

/** Where those of links, and of streams, are in the partition. */
export const ofLinks = { beginsWith: LINK }
export const ofStreams = { beginsWith: STREAM }

export const invalidationKey = (linkId: LinkId): Key => ({ pk: INVALIDATIONS, sk: `${LINK}${linkId}` })
export const streamInvalidationKey = (encodingId: EncodingId): Key => ({ pk: INVALIDATIONS, sk: `${STREAM}${encodingId}` })

export const keyOfInvalidation = (invalidation: Invalidation): Key =>
  'linkId' in invalidation ? invalidationKey(invalidation.linkId) : streamInvalidationKey(invalidation.encodingId)

/** Makes edges forget all that is pending. There is one such job, so that what many links need goes in one request. */
export const invalidationJob = new JobKind<null>('invalidate-edges')

type Asking = Pick<Writing, 'clock' | 'by'>

/**
 * The writes by which edges are to forget what a link showed. They belong into the transaction that sets `stale` of the link.
 * @param link.revision what the link shows from now on
 */
export function forgetLink(library: Asking, { linkId, alias, revision }: Pick<LinkRecord, 'linkId' | 'alias' | 'revision'>): Operations {
  const now = library.clock.now()
  const invalidation: LinkInvalidation = { linkId, alias, revision, since: now, notBefore: now }
  return { invalidation: { put: { ...invalidationKey(linkId), ...invalidation } }, ...askForInvalidation(library) }
}

/** The writes by which edges are to forget a stream whose files are removed. */
export function forgetStream(library: Asking, encodingId: EncodingId): Operations {
  const now = library.clock.now()
  const invalidation: StreamInvalidation = { encodingId, since: now, notBefore: now }
  return { invalidation: { put: { ...streamInvalidationKey(encodingId), ...invalidation } }, ...askForInvalidation(library) }
}

/** The write that asks for the job. */
export const askForInvalidation = (library: Asking): Operations => ({
  edges: invalidationJob.ask(library, { companyId: toCompanyId(0), subject: 'edges', input: null }),
})

/** Gives invalidations their job that an earlier version left without one. */
export async function giveInvalidationJob(library: Writing): Promise<void> {
  const { table } = library
  const pages = await Promise.all([ofLinks, ofStreams].map((sk) => table.query({ pk: INVALIDATIONS, sk, limit: 1 })))
  if (pages.every(({ items }) => items.length === 0) || (await invalidationJob.find(library, 'edges'))) return
  await table.transact(askForInvalidation(library))
}

/**
 * Most invalidations of an area that edges are asked for one by one; above, they are asked for the whole area. A path costs half a cent, whether
 * it names one link or all of an alias. What else the area has is fetched or rendered anew: some 300 pictures for the same half a cent.
 */
export const MOST_OF_AREA = 100

/** How edges are asked to forget something: by a tag, or by what its paths begin with. */
export type Naming = { tag: string } | { prefix: string }

/** @param pending all invalidations that are not done @returns how edges are asked for each of them from now on */
export function namingOf(pending: readonly Invalidation[]): (invalidation: Invalidation) => Naming {
  const crowded = new Set<string>()
  for (const [area, those] of Map.groupBy(pending, areaOf)) {
    if (area !== undefined && those.length > MOST_OF_AREA) crowded.add(area)
  }
  return (invalidation) => {
    const area = areaOf(invalidation)
    return area !== undefined && crowded.has(area) ? { prefix: area } : lastNamingOf(invalidation)
  }
}

/** How edges were asked for it before. Where an area was crowded then, its second round costs one path, too. */
export function lastNamingOf(invalidation: Invalidation): Naming {
  const { prefix } = invalidation
  if (prefix !== undefined) return { prefix }
  return 'linkId' in invalidation ? { tag: cacheTag(invalidation.linkId) } : { prefix: `/${videoObjects.stream(invalidation.encodingId)}` }
}

/** What can be forgotten as a whole: the links of an alias, which belong to one company, and all streams, because no work is lost with them. */
function areaOf(invalidation: Invalidation): string | undefined {
  if ('encodingId' in invalidation) return `/${videoObjects.streams}`
  return invalidation.alias === undefined ? undefined : `/${invalidation.alias}/`
}
