import type { Clock } from '../../backends/clock/port.ts'
import type { Key, Operation } from '../../backends/table/port.ts'
import type { EncodingId, LinkId } from '../../vocabulary/ids.ts'
import type { LinkRecord } from '../links/link.ts'

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

/**
 * The operation by which edges are to forget what a link showed. It belongs into the transaction that says so: the one that sets `stale` of the
 * link, or, for an ended link, one after its objects are gone. Whoever commits it then sends `{}` to the queue `invalidations`.
 * @param link.revision what the link shows from now on
 */
export function invalidationOf(
  { clock }: { clock: Clock },
  { linkId, alias, revision }: Pick<LinkRecord, 'linkId' | 'alias' | 'revision'>,
): Operation {
  const now = clock.now()
  const invalidation: LinkInvalidation = { linkId, alias, revision, since: now, notBefore: now }
  return { put: { ...invalidationKey(linkId), ...invalidation } }
}
