import type { ContentsId, FolderId, MediaId } from '../../vocabulary/ids.ts'
import type { Access, AuthorizedWriting } from '../access/access.ts'
import type { UserCaller } from '../access/caller.ts'
import { Invalid, NotFound } from '../errors.ts'
import type { Writing } from '../library.ts'
import { contentsOf, type FolderRecord } from '../tree/folder.ts'
import { ensureTrashcan, isCdnFolder } from '../tree/system-folders.ts'
import { trashOwner } from '../tree/tree.ts'
import { loadChains } from '../tree/tree-store.ts'
import { findMedia } from './find.ts'
import type { MediaRecord } from './media.ts'
import { type Placement, placementOf, storedPlacement, withMovedPointer, withoutPointers, withPointer } from './placement.ts'
import { changePointers, findPointer } from './pointers.ts'

/**
 * Adds a pointer: needs READ on the file and WRITE on the target. It is read-only when the caller has no WRITE on the file. A caller with WRITE makes
 * a read-only pointer full by copying the file there again. A CDN folder needs the rights to publish. @throws NotFound, Forbidden, Invalid
 */
export async function copyMedia(library: AuthorizedWriting, mediaId: MediaId, folderId: FolderId): Promise<void> {
  const { access } = library
  const media = await findMedia(library, mediaId)
  await access.requireVisible(media)
  await access.requireOwned(media)
  const folder = await access.folderWith('WRITE', folderId)
  sameCompany(media, folder)
  await changePointers(library, mediaId, (placement, current) => withCopy(access, current, placement, folder))
}

/**
 * Moves a pointer and keeps its kind. Needs WRITE on both folders. A CDN folder needs the rights to publish, and the pointer becomes full. In a
 * trashcan the time until deletion starts anew, even for a file that lies there already. @throws NotFound, Forbidden, Invalid
 */
export async function moveMedia(library: AuthorizedWriting, mediaId: MediaId, from: FolderId, to: FolderId): Promise<void> {
  const { access } = library
  const source = await access.folderWith('WRITE', from)
  // After the rights on the folders: the existence of files in unseen folders is never leaked.
  const media = await findMedia(library, mediaId)
  await mustHold(access, media, placementOf(media), source)
  const target = await access.folderWith('WRITE', to)
  sameCompany(media, target)
  const plan = (placement: Placement, current: MediaRecord) => withMove(access, current, placement, source, target)
  // A move within a trashcan keeps the former folder.
  const origin = from === to ? (await findPointer(library, mediaId, contentsOf(source)))?.trashedFrom : from
  await changePointers(library, mediaId, plan, new Map([[contentsOf(target), origin ?? from]]))
}

/** Removes a pointer: needs WRITE on the folder. Removing the last pointer deletes the file. @throws NotFound, Forbidden */
export async function removeMedia(library: AuthorizedWriting, mediaId: MediaId, folderId: FolderId): Promise<void> {
  const { access } = library
  const folder = await access.folderWith('WRITE', folderId)
  await changePointers(library, mediaId, async (placement, media) => {
    await mustHold(access, media, placement, folder)
    return withoutPointers(placement, new Set([contentsOf(folder)]))
  })
}

/**
 * Moves a pointer to the user's trashcan and keeps its kind. A pointer in the trashcan, or in a folder below it, is removed for good. Needs
 * WRITE on the folder. @throws NotFound, Forbidden
 */
export async function trashMedia(library: Writing & { access: Access<UserCaller> }, mediaId: MediaId, folderId: FolderId): Promise<void> {
  const { access } = library
  const { userId } = access.caller.user
  const folder = await access.folderWith('WRITE', folderId)
  const { companyId } = folder
  const wasInTrash = trashOwner(await access.chains(companyId, { folderIds: [folderId] }), folder) !== undefined
  const trashcan = contentsOf(await ensureTrashcan(library, companyId, userId))
  const plan = async (placement: Placement, media: MediaRecord) => {
    await mustHold(access, media, placement, folder)
    // The folder may have been restored or trashed meanwhile. Then this is the file's first move to a trashcan.
    const isForGood = wasInTrash && trashOwner(await loadChains(library, companyId, { folderIds: [folderId] }), folder) !== undefined
    return isForGood ? withoutPointers(placement, new Set([contentsOf(folder)])) : withMovedPointer(placement, contentsOf(folder), trashcan)
  }
  await changePointers(library, mediaId, plan, new Map([[trashcan, folderId]]))
}

/**
 * Sets which folders hold the file, among those that the caller may WRITE. Other folders never change. Existing pointers stay as they are; other
 * named folders get a copy. @throws NotFound, Forbidden, Invalid
 */
export async function replaceFolders(library: AuthorizedWriting, mediaId: MediaId, wanted: readonly FolderId[]): Promise<MediaRecord> {
  const { access } = library
  const media = await findMedia(library, mediaId)
  await access.requireVisible(media)
  await access.requireOwned(media)
  const writable = new Set((await access.writableAmong(media)).map(contentsOf))
  const target = new Map<ContentsId, FolderRecord>()
  for (const folderId of wanted) {
    const { record } = await access.folder(folderId)
    const contents = contentsOf(record)
    target.set(contents, record)
    if (writable.has(contents)) continue
    // Other folders of the file are never leaked to a caller without READ.
    await access.requireMedia('READ', media)
    if (media.folders.includes(contents)) continue
    sameCompany(media, await access.folderWith('WRITE', folderId))
    writable.add(contents)
  }
  const placement = await changePointers(library, mediaId, async (before, current) => {
    // Folders without WRITE keep the file, also those that get it meanwhile.
    let after = withoutPointers(before, writable.difference(target))
    for (const [contents, folder] of target) {
      if (writable.has(contents) && !after.has(contents)) after = await withCopy(access, current, after, folder)
    }
    return after
  })
  return { ...media, ...storedPlacement(placement) }
}

/** Moves the pointer in one folder to another; the caller may WRITE both. @throws NotFound where there is no pointer, Forbidden */
export async function withMove(
  access: Access,
  media: MediaRecord,
  placement: Placement,
  source: FolderRecord,
  target: FolderRecord,
): Promise<Placement> {
  await mustHold(access, media, placement, source)
  const moved = withMovedPointer(placement, contentsOf(source), contentsOf(target))
  return isCdnFolder(target) ? withPublication(access, media, moved, target) : moved
}

/** Puts the file into a folder that the caller may WRITE. @throws NotFound, Forbidden without READ, unless the folder already holds it */
export async function withCopy(access: Access, media: MediaRecord, placement: Placement, folder: FolderRecord): Promise<Placement> {
  const contents = contentsOf(folder)
  if (isCdnFolder(folder)) return withPublication(access, media, placement, folder)
  const editable = await access.hasOnMedia('WRITE', media)
  if (!(editable && placement.has(contents))) await access.requireMedia('READ', media)
  return withPointer(placement, contents, editable ? 'full' : 'read-only')
}

/**
 * Puts the file into a CDN folder that the caller may WRITE, by a full pointer: rights to publish include WRITE on the file. A file that is already
 * published there needs nothing more. @throws NotFound, Forbidden when the caller may not publish it
 */
async function withPublication(access: Access, media: MediaRecord, placement: Placement, folder: FolderRecord): Promise<Placement> {
  const contents = contentsOf(folder)
  if (placementOf(media).get(contents) !== 'full') await access.requirePublishing(folder, media)
  return withPointer(placement, contents, 'full')
}

/** @throws Invalid unless the folder belongs to the company of the file */
export function sameCompany(media: MediaRecord, folder: FolderRecord): void {
  if (folder.companyId !== media.companyId) throw new Invalid({ path: '', message: 'The folder belongs to another company.' })
}

/** @throws NotFound unless the folder holds the file, Forbidden for items of the stock catalogue that the caller sees */
async function mustHold(access: Access, media: MediaRecord, placement: Placement, folder: FolderRecord): Promise<void> {
  if (placement.has(contentsOf(folder))) return
  await access.requireOwned(media)
  throw new NotFound('media')
}
