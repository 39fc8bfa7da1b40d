import type { Key } from '../../backends/table/port.ts'
import type { CompanyId, FolderId, KeyId, LinkId, MediaId, UserId } from '../../vocabulary/ids.ts'

/** What a company's feed tells of. */
export const eventTypes = [
  'media.created',
  'media.updated',
  'media.placed',
  'media.trashed',
  'media.restored',
  'media.deleted',
  'media.downloaded',
  'folder.created',
  'folder.renamed',
  'folder.moved',
  'folder.trashed',
  'folder.restored',
  'folder.deleted',
  'folder.shared',
  'link.created',
  'link.updated',
  'link.deleted',
  'stream.available',
  'stream.failed',
  'zip.ready',
  'zip.failed',
  'import.delayed',
  'share.created',
  'share.visited',
  'share.removed',
  'bulk.finished',
  'company.quota',
] as const
export type EventType = (typeof eventTypes)[number]

/** Who did it. Empty where a job or the operator did. */
export type EventActor = { userId?: UserId; keyId?: KeyId }

/** What an event is about: ids alone, the version of a file, and how far a quota is filled. */
export type EventData = {
  mediaId?: MediaId
  /** Folders that hold the file; of a file that was trashed or deleted, that held it before. Of a link its CDN folder. */
  folderIds?: FolderId[]
  version?: number
  folderId?: FolderId
  /** The folder that a folder is in; of one that was trashed or deleted, that it was in before. null at the root. */
  parent?: FolderId | null
  link?: LinkId
  jobId?: string
  /** Of a quota: the step that it is filled to, and bytes taken of how many. */
  percent?: number
  bytes?: number
  quotaBytes?: number
  /** Of share links, and of files that were downloaded or sent by one. */
  shareId?: string
}

/** An event that has no place in the feed yet. */
export interface FeedEntry {
  type: EventType
  actor: EventActor
  data: EventData
  /** Who asked for what has ended: of a zip and of a bulk change. Of a share link its maker. */
  requester?: EventActor
  /** The request that it follows from: for admins. */
  requestId?: string
  /** The network that this request came from: for admins. */
  network?: string
}

/** An event of a company's feed. They are numbered without gaps, from 1. */
export type StoredEvent = Key &
  FeedEntry & {
    number: number
    /** When it got its number, in UNIX milliseconds. */
    created: number
    ttl: number
  }

/** How many events a company's feed has had. */
export type FeedHead = Key & { last: number }

const feedPartition = (companyId: CompanyId): string => `EVENTS#${companyId}`

export const feedHeadKey = (companyId: CompanyId): Key => ({ pk: feedPartition(companyId), sk: 'HEAD' })

/** Sorts like its number, which has at most 12 digits. */
export const eventKey = (companyId: CompanyId, number: number): Key => ({
  pk: feedPartition(companyId),
  sk: String(number).padStart(12, '0'),
})

/** The name of an event, which is the same in every answer. */
export const eventIdOf = (companyId: CompanyId, number: number): string => `${companyId}-${number}`
