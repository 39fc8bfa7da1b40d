import type { UserRecord } from '../accounts/users.ts'
import type { Actor } from '../actor.ts'
import type { BulkRecord } from '../bulk/bulk.ts'
import type { LinkRecord } from '../links/link.ts'
import type { MediaRecord } from '../media/media.ts'
import type { QuotaRecord } from '../quota/steps.ts'
import type { ShareRecord } from '../shares/share.ts'
import type { FolderRecord } from '../tree/folder.ts'
import type { Stream } from '../videos/video.ts'
import type { ZipRecord } from '../zips/zip.ts'
import type { Records } from './records.ts'

type OfFile = Pick<MediaRecord, 'companyId' | 'mediaId'>
type OfFolder = Pick<FolderRecord, 'companyId' | 'folderId'>
/** A file as it was then. */
type FileThen = OfFile & Pick<MediaRecord, 'folders' | 'version'>
type OfLink = Pick<LinkRecord, 'companyId' | 'linkId' | 'folderId'> & Pick<MediaRecord, 'mediaId'>
/** `requester`: who asked for the stream, and learns of its end. */
type OfStream = OfFile & Pick<Stream, 'requester'>
/** `userId`: the link's maker. */
type OfShare = Pick<ShareRecord, 'companyId' | 'shareId' | 'userId'>
/** A user in one of their companies. */
type OfUser = Pick<ShareRecord, 'companyId'> & Pick<UserRecord, 'userId'>
type OfZip = Pick<ZipRecord, 'companyId' | 'jobId' | 'folderId' | 'requester'>

/** All that the library tells of itself: names of events, and what each tells besides `by`. Past tense: it is committed. */
export interface DomainEvents {
  /** A file has become available. */
  'media.imported': FileThen & Pick<MediaRecord, 'uploadedBy' | 'uploadedVia'>
  /** The import of a file failed again and again, and waits for an operator. */
  'import.delayed': OfFile
  /** A file that search engines know, or are to know, has a revision that they don't know yet. */
  'media.revised': OfFile
  /** A file has another version. */
  'media.edited': FileThen
  /** Other folders hold an available file, or a pointer gives other rights: contents ids of the folders that it was put into and taken from. */
  'media.placed': FileThen & { added: MediaRecord['folders']; removed: MediaRecord['folders'] }
  /** The original or a rendition of a file was given out. */
  'media.downloaded': FileThen
  /**
   * A file was deleted for good. Its objects are to be removed; `uploadKey` is that of the posted file, if the import has left it. `folders` held
   * it last, at this version: absent where nobody ever saw it available.
   */
  'media.removed': OfFile & Partial<Pick<MediaRecord, 'uploadKey' | 'kind' | 'folders' | 'version'>>
  'stream.available': OfStream
  'stream.failed': OfStream
  'link.created': OfLink
  /** A link shows another file: this one. */
  'link.updated': OfLink
  /** A link has ended, which showed this file. */
  'link.deleted': OfLink
  'zip.ready': OfZip
  'zip.failed': OfZip
  'share.created': OfShare
  /** The page of a share link was opened by a browser that had not been there. */
  'share.visited': OfShare
  'share.removed': OfShare
  'bulk.finished': Pick<BulkRecord, 'companyId' | 'bulkId' | 'userId'>
  /** A company has a further user: one who was made, who joins, or who is let in again. */
  'user.created': OfUser
  /** Names, address, role, identities or the disablement of a user are others. */
  'user.changed': OfUser
  /** A user has left a company, or was deleted. */
  'user.left': OfUser
  /** A company's quota is filled to a step. */
  'company.quota': Pick<QuotaRecord, 'companyId' | 'percent' | 'bytes' | 'quotaBytes'>
  /** A job waits for a run. */
  'job.waits': Pick<Records['job'], 'companyId' | 'kind'>
  'folder.created': OfFolder & Pick<FolderRecord, 'parent' | 'system'>
  /** A folder has another parent, a trashcan perhaps. */
  'folder.moved': OfFolder & { from: FolderRecord['parent']; to: FolderRecord['parent'] }
  'folder.renamed': OfFolder & Pick<FolderRecord, 'parent'>
  /** A folder was deleted for good with all below it. */
  'folder.deleted': OfFolder & Pick<FolderRecord, 'parent'>
  /** A folder gives users or a clique other rights. */
  'folder.shared': OfFolder
}

export type EventName = keyof DomainEvents

type AnyEvent = { [Name in EventName]: { readonly name: Name; readonly by?: Actor } & Readonly<DomainEvents[Name]> }[EventName]

/** An event with its name, and who made the change that it tells of. Unknown where the record is of an earlier version. */
export type DomainEvent<Name extends EventName = EventName> = Extract<AnyEvent, { name: Name }>
