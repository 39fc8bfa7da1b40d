import type { FolderId, MediaId, UserId } from '../../vocabulary/ids.ts'
import type { Access } from '../access/access.ts'
import type { UserCaller } from '../access/caller.ts'
import { Conflict, Forbidden, NotFound } from '../errors.ts'
import { changeFolder } from '../folders/folders.ts'
import type { Writing } from '../library.ts'
import { moveMedia } from '../media/place.ts'
import { findPointer } from '../media/pointers.ts'
import { contentsOf, type FolderRecord, holds, type Right } from '../tree/folder.ts'
import { trashOwner } from '../tree/tree.ts'

type Restoring = Writing & { access: Access<UserCaller> }

/**
 * Moves a file out of the caller's trashcan, to the folder that it was in before or to another one. Needs WRITE there.
 * @param from the trashcan
 * @param to absent: the folder that the file was in
 * @returns the folder that holds it now
 * @throws NotFound, Forbidden, Invalid, Conflict `origin_gone`
 */
export async function restoreMedia(library: Restoring, mediaId: MediaId, from: FolderId, to: FolderId | undefined): Promise<FolderId> {
  const { access } = library
  const { record } = await access.folder(from)
  if (!isTrashcanOf(record, access.caller.user.userId)) throw new NotFound('folder')
  const pointer = await findPointer(library, mediaId, contentsOf(record))
  if (!pointer) throw new NotFound('media')
  const target = to ?? (await origin(access, pointer.trashedFrom, 'WRITE'))
  await moveMedia(library, mediaId, from, target).catch((error: unknown) => {
    // Such as a CDN folder, where WRITE alone is not enough.
    throw to === undefined && error instanceof Forbidden ? originGone() : error
  })
  return target
}

/**
 * Moves a folder with all below it out of the caller's trashcan, to where it was before or to another folder. Needs ADMIN there.
 * @param to null: the root; absent: where it was
 * @returns the folder that it is in now, null at the root
 * @throws NotFound, Forbidden, Invalid, Conflict `origin_gone`
 */
export async function restoreFolder(library: Restoring, folderId: FolderId, to: FolderId | null | undefined): Promise<FolderId | null> {
  const { access } = library
  const { record } = await access.folder(folderId)
  const { record: above } = record.parent === null ? { record: undefined } : await access.folder(record.parent)
  if (!(above && isTrashcanOf(above, access.caller.user.userId))) throw new NotFound('folder')
  const target = to === undefined && record.trashedFrom !== null ? await origin(access, record.trashedFrom, 'ADMIN') : (to ?? null)
  return (await changeFolder(library, folderId, { parent: target })).parent
}

const isTrashcanOf = ({ system, owner }: FolderRecord, userId: UserId): boolean => system === 'trash' && owner === userId

/** @throws Conflict where it isn't there any more, is in a trashcan itself, or the caller lacks the right on it */
async function origin(access: Access, folderId: FolderId | undefined, right: Right): Promise<FolderId> {
  const found = folderId && (await access.folder(folderId).catch(unlessUnseen))
  if (found && holds(found.rights, right)) {
    const chains = await access.chains(found.record.companyId, { folderIds: [found.record.folderId] })
    if (trashOwner(chains, found.record) === undefined) return found.record.folderId
  }
  throw originGone()
}

const originGone = () =>
  new Conflict('The folder that it was in is gone, or you may not put anything there any more. Name another folder.', 'origin_gone')

function unlessUnseen(error: unknown): undefined {
  if (!(error instanceof NotFound)) throw error
}
