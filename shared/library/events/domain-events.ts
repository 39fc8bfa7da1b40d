import type { UserRecord } from '../accounts/users.ts'
import type { Actor } from '../actor.ts'
import type { BulkRecord } from '../bulk/bulk.ts'
import type { LinkRecord } from '../media/link.ts'
import type { MediaRecord } from '../media/media.ts'
import type { QuotaRecord } from '../quota/steps.ts'
import type { ShareRecord } from '../shares/share.ts'
import type { FolderRecord } from '../tree/folder.ts'
import type { Stream } from '../videos/video.ts'
import type { ZipRecord } from '../zips/zip.ts'
import type { Records } from './records.ts'

type OfFile = Pick<MediaRecord, 'companyId' | 'mediaId'>
type OfFolder = Pick<FolderRecord, 'companyId' | 'folderId'>
/** A file as it was at the event. */
type FileThen = OfFile & Pick<MediaRecord, 'folders' | 'version'>
type OfLink = Pick<LinkRecord, 'companyId' | 'linkId' | 'folderId'> & Pick<MediaRecord, 'mediaId'>
/** `requester`: who asked for the stream, and is notified of its end. */
type OfStream = OfFile & Pick<Stream, 'requester'>
/** `userId`: the link's maker. */
type OfShare = Pick<ShareRecord, 'companyId' | 'shareId' | 'userId'>
/** A user in one of their companies. */
type OfUser = Pick<ShareRecord, 'companyId'> & Pick<UserRecord, 'userId'>
type OfZip = Pick<ZipRecord, 'companyId' | 'jobId' | 'folderId' | 'requester'>

/** Domain events: the attributes of each besides `by`. Names are in the past tense, because the changes are committed. */
export interface DomainEvents {
  /** A file has become available. */
  'media.imported': FileThen & Pick<MediaRecord, 'uploadedBy' | 'uploadedVia'>
  /** The import of a file failed repeatedly, and waits for an operator. */
  'import.delayed': OfFile
  /** A file has a new revision, which search engines don't know yet. */
  'media.revised': OfFile
  /** A file has a new version: its metadata was edited. */
  'media.edited': FileThen
  /** A file has a new version: another file became its current one. */
  'media.replaced': FileThen & Required<Pick<MediaRecord, 'fileNumber'>>
  /** The folders of an available file changed, or the rights of a pointer did. `added` and `removed` are contents ids. */
  'media.placed': FileThen & { added: MediaRecord['folders']; removed: MediaRecord['folders'] }
  /** The original or a rendition of a file was downloaded. `fileNumber`: one of its numbers was. */
  'media.downloaded': FileThen & Pick<MediaRecord, 'fileNumber'>
  /** A file was deleted for good. `folders`: those that held it last. `folders` and `version` are absent if the file was never available. */
  'media.removed': OfFile & Partial<Pick<MediaRecord, 'kind' | 'folders' | 'version'>>
  'stream.available': OfStream
  'stream.failed': OfStream
  'link.created': OfLink
  /** A link shows another file, which the event names. */
  'link.updated': OfLink
  /** A link to this file has ended. */
  'link.deleted': OfLink
  'zip.ready': OfZip
  'zip.failed': OfZip
  'share.created': OfShare
  /** A browser opened the page of a share link for the first time. */
  'share.visited': OfShare
  'share.removed': OfShare
  'bulk.finished': Pick<BulkRecord, 'companyId' | 'bulkId' | 'userId'>
  /** A company has a new user, who was created, joined, or rejoined. */
  'user.created': OfUser
  /** A user's names, e-mail address, role, identities or `disabled` changed. */
  'user.changed': OfUser
  /** A user has left a company, or was deleted. */
  'user.left': OfUser
  /** The use of a quota reached a step. */
  'company.quota': Pick<QuotaRecord, 'companyId' | 'percent' | 'bytes' | 'quotaBytes'>
  /** A job waits for a run. */
  'job.waits': Pick<Records['job'], 'companyId' | 'kind'>
  'folder.created': OfFolder & Pick<FolderRecord, 'parent' | 'system'>
  /** A folder has another parent, possibly a trashcan. */
  'folder.moved': OfFolder & { from: FolderRecord['parent']; to: FolderRecord['parent'] }
  'folder.renamed': OfFolder & Pick<FolderRecord, 'parent'>
  /** A folder was deleted for good with all below it. */
  'folder.deleted': OfFolder & Pick<FolderRecord, 'parent'>
  /** Users' or cliques' rights on a folder changed. */
  'folder.shared': OfFolder
}

export type EventName = keyof DomainEvents

type AnyEvent = { [Name in EventName]: { readonly name: Name; readonly by?: Actor } & Readonly<DomainEvents[Name]> }[EventName]

/** An event with its name, and who made the change that it tells of, where the record says so. */
export type DomainEvent<Name extends EventName = EventName> = Extract<AnyEvent, { name: Name }>
