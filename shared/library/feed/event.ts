import type { Key } from '../../backends/table/port.ts'
import type { CompanyId, FolderId, LinkId, MediaId, UserId } from '../../vocabulary/ids.ts'
import type { ShownActor } from '../actor.ts'

/** Types of events in a company's feed. */
export const eventTypes = [
  'media.created',
  'media.updated',
  'media.replaced',
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
  'user.created',
  'user.changed',
  'user.left',
  'company.quota',
] as const
export type EventType = (typeof eventTypes)[number]

/** Subject of an event: only ids, a file's version and number, and the use of a quota. */
export type EventData = {
  mediaId?: MediaId
  /** Folders that hold the file, or held it before it was trashed or deleted. For a link its CDN folder. */
  folderIds?: FolderId[]
  version?: number
  /** Number of the file that became the current one, or that was downloaded. */
  fileNumber?: number
  folderId?: FolderId
  /** Parent of the folder, or the former parent of a trashed or deleted one. null at the root. */
  parent?: FolderId | null
  link?: LinkId
  jobId?: string
  /** Only for quotas: the reached step, used bytes and limit. */
  percent?: number
  bytes?: number
  quotaBytes?: number
  /** Only for users. */
  userId?: UserId
  /** Only for share links, and for files downloaded or uploaded through one. */
  shareId?: string
}

/** An event without a number yet. */
export interface FeedEntry {
  type: EventType
  actor: ShownActor
  data: EventData
  /** Requester of the zip or bulk change that ended; maker of the share link. */
  requester?: ShownActor
  /** Id of the causing request, for admins. */
  requestId?: string
  /** Network of that request, for admins. */
  network?: string
}

/** An event of a company's feed. Events are numbered from 1, without gaps. */
export type StoredEvent = Key &
  FeedEntry & {
    number: number
    /** Time of its numbering, in UNIX milliseconds. */
    created: number
    ttl: number
  }

/** Number of the last event of a company's feed. */
export type FeedHead = Key & { last: number }

const feedPartition = (companyId: CompanyId): string => `EVENTS#${companyId}`

export const feedHeadKey = (companyId: CompanyId): Key => ({ pk: feedPartition(companyId), sk: 'HEAD' })

/** Sorts like its number, which has at most 12 digits. */
export const eventKey = (companyId: CompanyId, number: number): Key => ({
  pk: feedPartition(companyId),
  sk: String(number).padStart(12, '0'),
})

/** Id of an event, the same in every response. */
export const eventIdOf = (companyId: CompanyId, number: number): string => `${companyId}-${number}`
