import type { Objects } from '../../backends/objects/port.ts'
import type { Operation } from '../../backends/table/port.ts'
import { held } from '../conditional.ts'
import type { Writing } from '../library.ts'
import { getLink, type LinkRecord, linkKey } from '../links/link.ts'
import { publicKeys } from '../links/public-keys.ts'
import { everyObject } from '../pages.ts'
import { invalidationKey, type LinkInvalidation, type StreamInvalidation, streamInvalidationKey } from './invalidation.ts'

export interface EndingInvalidations extends Pick<Writing, 'table' | 'clock'> {
  publicFiles: Pick<Objects, 'list' | 'delete'>
}

/**
 * Edges have forgotten what a link showed before: its state says so, and nothing remains of that. The record of an ended link goes. Any number of
 * runs; where the link changed meanwhile, its next invalidation does the rest.
 */
export async function endLinkInvalidation(library: EndingInvalidations, invalidation: LinkInvalidation): Promise<void> {
  const { table } = library
  const { linkId, revision } = invalidation
  const link = await getLink(library, linkId)
  if (link?.published) await removeFormerSources(library, invalidation)
  const gone = { delete: invalidationKey(linkId), if: { revision: { equals: revision }, since: { equals: invalidation.since } } }
  const told = link?.stale === revision
  await held(table.transact({ invalidation: gone, ...(told && { link: endOf(library, link) }) }))
}

/** Edges have forgotten a stream: nothing remains of it. Any number of runs. */
export async function endStreamInvalidation(
  { table }: Pick<EndingInvalidations, 'table'>,
  { encodingId, since }: StreamInvalidation,
): Promise<void> {
  await held(table.delete(streamInvalidationKey(encodingId), { since: { equals: since } }))
}

/** What is left to be said of a link whose edges know all that was published of it. It fails where the link has changed. */
function endOf({ clock }: EndingInvalidations, link: LinkRecord): Operation {
  const { linkId, mediaId, revision, published, stale = null } = link
  const asRead = { revision: { equals: revision }, stale: { equals: stale } }
  const isSettled = stale === revision
  if (isSettled && mediaId === null) return { delete: linkKey(linkId), if: asRead }
  const isActive = isSettled && published?.revision === revision
  const changes = isActive ? { set: { changed: clock.now() }, remove: ['stale'] } : { remove: ['stale'] }
  return { update: linkKey(linkId), changes, if: asRead }
}

/** Removes what was rendered from before the published revision. Renderers that began with it have ended. */
async function removeFormerSources({ publicFiles }: EndingInvalidations, { linkId, revision }: LinkInvalidation): Promise<void> {
  const former: string[] = []
  const prefix = publicKeys.sources(linkId)
  for await (const { key } of everyObject(publicFiles, prefix)) {
    if (Number.parseInt(key.slice(prefix.length), 10) < revision) former.push(key)
  }
  if (former.length > 0) await publicFiles.delete(former)
}
