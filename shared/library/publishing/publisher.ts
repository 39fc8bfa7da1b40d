import { randomBytes } from 'node:crypto'
import type { Condition, Operations } from '../../backends/table/port.ts'
import { asRead, held } from '../conditional.ts'
import { NOT_DUE } from '../due.ts'
import type { Writing } from '../library.ts'
import { type LinkRecord, linkKey } from '../links/link.ts'
import { invalidationOf } from './invalidation.ts'

/*
 * One publisher at a time writes into the public bucket for a link. Its record names the publisher from before the first write until after the
 * last one, so whatever a crash leaves behind, the record says that somebody was at it.
 */

/** How long a publisher's claim holds, in milliseconds. Publishers renew it while they write. After a crash links wait for its end: it is short. */
export const CLAIM_MS = 15_000

/** A link whose publisher is the caller. */
export type ClaimedLink = LinkRecord & Required<Pick<LinkRecord, 'publisher' | 'publisherUntil'>>

type Storing = Pick<Writing, 'table' | 'clock'>

/** Whether somebody publishes it now. */
export const isBeingPublished = ({ publisherUntil }: LinkRecord, now: number): boolean =>
  publisherUntil !== undefined && publisherUntil > now

/** Whether the public bucket holds what the link says; of one that has ended nothing, and edges are being told. */
export function isPublished({ mediaId, revision, published, stale, publisher }: LinkRecord): boolean {
  return publisher === undefined && (mediaId === null ? stale === revision : published?.revision === revision)
}

/** Makes the caller the publisher of a link as it was read. @returns undefined where the link has changed */
export async function claim({ table, clock }: Storing, link: LinkRecord): Promise<ClaimedLink | undefined> {
  const claimed = { ...link, publisher: randomBytes(9).toString('base64url'), publisherUntil: clock.now() + CLAIM_MS }
  const { publisher, publisherUntil } = claimed
  const unchanged: Condition = {
    revision: asRead(link.revision),
    publisher: asRead(link.publisher),
    publisherUntil: asRead(link.publisherUntil),
  }
  return (await held(table.update(linkKey(link.linkId), { set: { publisher, publisherUntil } }, unchanged))) ? claimed : undefined
}

/** Says that the publisher goes on. */
export function goOn({ table, clock }: Storing, { linkId, publisher }: ClaimedLink): Promise<boolean> {
  return held(table.update(linkKey(linkId), { set: { publisherUntil: clock.now() + CLAIM_MS } }, { publisher: asRead(publisher) }))
}

/** Lets the next publisher begin at once, after one that failed. The record goes on to name the one that failed. */
export function giveUp({ table, clock }: Storing, { linkId, publisher }: ClaimedLink): Promise<boolean> {
  return held(table.update(linkKey(linkId), { set: { publisherUntil: clock.now() } }, { publisher: asRead(publisher) }))
}

/**
 * Says that the public bucket holds what the link says. Where edges may keep something else of it, they are to be told, in the same
 * transaction.
 * @param extension of its URL, from its first publication on
 * @param also what is written in the same transaction
 * @returns whether it is so: not where the link changed meanwhile, or another one took over
 */
export function settle({ table, clock }: Storing, link: ClaimedLink, extension?: string, also: Operations = {}): Promise<boolean> {
  const { linkId, mediaId, revision, publisher } = link
  const published = mediaId === null ? undefined : { revision, mediaId }
  // Nothing but the first revision was ever public before it.
  const isStale = revision > 1
  const set = { published, extension, changed: clock.now(), stale: isStale ? revision : undefined }
  const remove = ['publisher', 'publisherUntil', ...(published ? [] : ['published']), ...(isStale ? [] : Object.keys(NOT_DUE))]
  const operations: Operations = {
    link: { update: linkKey(linkId), changes: { set, remove }, if: { publisher: asRead(publisher), revision: asRead(revision) } },
    ...(isStale && { invalidation: invalidationOf({ clock }, link) }),
    ...also,
  }
  return held(table.transact(operations))
}
