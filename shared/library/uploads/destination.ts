import type { CompanyId, FolderId, MediaId } from '../../vocabulary/ids.ts'
import type { Access, AuthorizedReading } from '../access/access.ts'
import { type Expecting, replaceableMedia, requireVersion } from '../media/find.ts'
import type { FolderRecord } from '../tree/folder.ts'

/** What an upload becomes: a new file in a folder. */
export type IntoFolder = { folderId: FolderId }

/** What an upload becomes: the next version of a file. */
export type InPlaceOf = {
  replaces: MediaId
  comment?: string
  /** The version that the file must have when the upload ends. */
  ifVersion?: number
}

export type Destination = IntoFolder | InPlaceOf

/**
 * The company of an upload that begins now. Needs UPLOAD on its folder, in a CDN folder READ and WRITE; or WRITE on the file that it replaces.
 * @throws NotFound, Forbidden, Conflict `importing`, `trashed`, VersionMismatch
 */
export async function companyFor(library: AuthorizedReading & Expecting, destination: Destination): Promise<CompanyId> {
  if ('folderId' in destination) return (await folderForUploads(library.access, destination.folderId)).companyId
  const media = await replaceableMedia(library, destination.replaces)
  requireVersion(media, library.expectedVersions)
  return media.companyId
}

/** A folder to which the caller may upload. @throws NotFound, Forbidden */
export async function folderForUploads(access: Access, folderId: FolderId): Promise<FolderRecord> {
  const folder = await access.folderWith('UPLOAD', folderId)
  await access.requirePublishing(folder)
  return folder
}
