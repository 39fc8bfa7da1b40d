import { ObjectMissing } from '../../backends/objects/port.ts'
import type { Operations } from '../../backends/table/port.ts'
import { held } from '../conditional.ts'
import type { Writing } from '../library.ts'
import { getLink, isPublished, type LinkRecord, linkExtension, linkKey } from '../links/link.ts'
import type { NamedLink } from '../links/publication.ts'
import { getMedia } from '../media/find.ts'
import { type AvailableMedia, isAvailable } from '../media/media.ts'
import { relinkMedia } from '../media/relink.ts'
import { isCdnFolder } from '../tree/alias.ts'
import { loadChains } from '../tree/tree-store.ts'
import { forgetLink } from './invalidation.ts'
import { masterJob } from './master-job.ts'
import { needsMaster, type PublicObjects, removeObjects, storeObjects } from './public-objects.ts'

/** What links are published with. */
export interface Publishing extends PublicObjects, Writing {}

/**
 * Brings the public bucket to what a link's record says: the file that it shows, or nothing once it has ended. The job's lease lets one run at
 * a time write for a link. A run that lost its lease may write behind its successor: it sees then that the link has changed, and publishes what
 * the link says by now. Idempotent; safe to crash anywhere.
 */
export async function publishLink(library: Publishing, named: NamedLink): Promise<void> {
  for (let hasWritten = false; ; hasWritten = true) {
    const link = await currentLink(library, named)
    if (!link) return removeObjects(library, named)
    const file = await shownFile(library, link)
    if (file === 'not there') return
    if ((!hasWritten && isPublished(link)) || (await publish(library, link, file))) return
  }
}

/** A link as it is. It ends first where its folder no longer publishes under its alias: a request that read the folder before may have made it. */
async function currentLink(library: Publishing, { linkId }: NamedLink): Promise<LinkRecord | undefined> {
  const link = await getLink(library, linkId)
  if (!link || link.mediaId === null) return link
  const { companyId, mediaId, contents, alias } = link
  const folder = (await loadChains(library, companyId, { contents: [contents] })).folderOfContents(contents)
  if (folder && isCdnFolder(folder) && folder.alias === alias) return link
  await relinkMedia(library, mediaId, contents)
  return getLink(library, linkId)
}

/** @returns `nothing` for a link that has ended; `not there` for a file whose import, or whose removal, asks for the next run */
async function shownFile(library: Publishing, { mediaId }: LinkRecord): Promise<AvailableMedia | 'nothing' | 'not there'> {
  if (mediaId === null) return 'nothing'
  const file = await getMedia(library, mediaId)
  return file && isAvailable(file) ? file : 'not there'
}

/** @returns whether the public bucket holds what the link says; not where the link has changed meanwhile */
async function publish(library: Publishing, link: LinkRecord, file: AvailableMedia | 'nothing'): Promise<boolean> {
  if (file === 'nothing') {
    await removeObjects(library, link)
    return notePublication(library, link, {})
  }
  try {
    await storeObjects(library, link, file)
  } catch (error) {
    // The file was removed meanwhile: the link's record says by now what that means for it.
    if (error instanceof ObjectMissing && (await shownFile(library, link)) === 'not there') return false
    throw error
  }
  const published = { revision: link.revision, mediaId: file.mediaId }
  return notePublication(library, link, { published, extension: link.extension ?? linkExtension(file) }, masterOf(library, link, file))
}

/**
 * Notes that the public bucket holds what the link says. Edges that may keep something else of it are to forget that: the same transaction
 * asks for it.
 * @param shown without `published` where the link has ended
 * @param also what is written in the same transaction
 * @returns false where the link has changed
 */
function notePublication(
  library: Publishing,
  link: LinkRecord,
  shown: Pick<LinkRecord, 'published' | 'extension'>,
  also: Operations = {},
): Promise<boolean> {
  const { linkId, revision } = link
  // Nothing but the first revision was ever public before it.
  const isStale = revision > 1
  const set = { ...shown, changed: library.clock.now(), stale: isStale ? revision : undefined }
  const changes = { set, ...(!shown.published && { remove: ['published'] }) }
  const operations: Operations = {
    link: { update: linkKey(linkId), changes, if: { revision: { equals: revision } } },
    ...(isStale && forgetLink(library, link)),
    ...also,
  }
  return held(library.table.transact(operations))
}

/** What asks for the master of a picture that needs one. */
function masterOf(library: Publishing, { companyId, linkId, revision }: LinkRecord, file: AvailableMedia): Operations {
  if (!needsMaster(file)) return {}
  return { master: masterJob.ask(library, { companyId, subject: `${linkId}.${revision}`, input: { linkId, revision } }) }
}
