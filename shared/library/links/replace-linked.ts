import type { LinkId, MediaId } from '../../vocabulary/ids.ts'
import type { Access, AuthorizedWriting } from '../access/access.ts'
import type { UserCaller } from '../access/caller.ts'
import { retryOnConflict } from '../concurrency/retry.ts'
import { Conflict, NotFound } from '../errors.ts'
import { findMedia, getMedia } from '../media/find.ts'
import { askForPublication, getLinks, linkChange, linksAfterPlacement, MAX_LINKS_IN_FOLDER } from '../media/link.ts'
import { isAvailable, type MediaLink, type MediaRecord } from '../media/media.ts'
import { sameCompany } from '../media/place.ts'
import { type Placement, placementOf, withMovedPointer, withoutPointers, withPointer } from '../media/placement.ts'
import { checkLimits, type PlacementChange, placementChanges } from '../media/pointers.ts'
import { contentsOf, type FolderRecord } from '../tree/folder.ts'
import type { CdnFolder } from '../tree/system-folders.ts'
import { ensureTrashcan } from '../tree/system-folders.ts'
import { extensionOf, linksIn } from './find-links.ts'

type Replacing = Omit<AuthorizedWriting, 'access'> & { access: Access<UserCaller> }

/**
 * Replaces a file in a CDN folder: links to the old file show the new one. The old file loses its pointer, and moves to the caller's trashcan if that
 * was its last one. All in one transaction. Needs READ and WRITE on the CDN folder, and on a folder that holds the new file.
 * @throws NotFound also where the old file has no link, Forbidden, Conflict
 */
export async function replaceLinked(library: Replacing, folder: CdnFolder, oldId: MediaId, newId: MediaId): Promise<void> {
  const { access } = library
  await access.requirePublishing(folder)
  await retryOnConflict(async () => {
    const old = await getMedia(library, oldId)
    const moved = old ? linksIn(old, folder) : []
    // The same answer for every file: other companies' files are never leaked.
    if (!old || moved.length === 0) throw new NotFound('link')
    const media = await findMedia(library, newId)
    await access.requirePublishable(media)
    sameCompany(media, folder)
    if (newId === oldId) return
    if (linksIn(media, folder).length + moved.length > MAX_LINKS_IN_FOLDER) {
      throw new Conflict(`A file can have at most ${MAX_LINKS_IN_FOLDER} links in a folder.`, 'too_many_links')
    }
    const extensions = await extensionsOf(library, old, moved)
    const changes = [await withdrawn(library, old, folder, moved), shown(library, media, folder, moved)]
    changes.forEach(checkLimits)
    const links = moved.map(({ id }) => [`link ${id}`, linkChange(library, id, { from: oldId, to: newId, extension: extensions.get(id) })])
    const publication = isAvailable(media) ? askForPublication(library, folder.companyId, moved) : {}
    await library.table.transact({ ...placementChanges(library, changes), ...Object.fromEntries(links), ...publication })
  })
}

/** Extensions of the URLs of links. Before the first publication it is that of the imported file. */
async function extensionsOf(library: Replacing, media: MediaRecord, links: readonly MediaLink[]): Promise<Map<LinkId, string | undefined>> {
  const records = await getLinks(
    library,
    links.map(({ id }) => id),
  )
  return new Map(await Promise.all(records.map(async (link) => [link.linkId, await extensionOf(library, link, media)] as const)))
}

/** The file that leaves the folder, without the links that it had there. */
async function withdrawn(library: Replacing, media: MediaRecord, folder: CdnFolder, moved: readonly MediaLink[]): Promise<PlacementChange> {
  const { access } = library
  const [contents, placement] = [contentsOf(folder), placementOf(media)]
  const links = media.links!.filter((link) => !moved.includes(link))
  const elsewhere = withoutPointers(placement, new Set([contents]))
  const others = [...elsewhere.keys()]
  const isHeld = (await access.chains(media.companyId, { contents: others })).foldersOfContents(others).length > 0
  const trashcan = isHeld ? undefined : await ensureTrashcan(library, media.companyId, access.caller.user.userId)
  const after = trashcan ? withMovedPointer(placement, contents, contentsOf(trashcan)) : elsewhere
  return { media, after, added: trashcan ? [trashcan] : [], linked: withLinks(library, media, links, after) }
}

/** The replacing file, with those links. */
function shown(library: Replacing, media: MediaRecord, folder: CdnFolder, moved: readonly MediaLink[]): PlacementChange {
  const placement = placementOf(media)
  const after = withPointer(placement, contentsOf(folder), 'full')
  const added = placement.has(contentsOf(folder)) ? [] : [folder]
  return { media, after, added, linked: withLinks(library, media, [...(media.links ?? []), ...moved], after, folder) }
}

/** A file's links after a change of its placement, from these links before. */
function withLinks(library: Replacing, media: MediaRecord, links: MediaLink[], after: Placement, ...into: FolderRecord[]) {
  const linked = linksAfterPlacement(library, { ...media, links }, after, into)
  return { ...linked, links: linked.links ?? links }
}
