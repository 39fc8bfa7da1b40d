import type { Changes, Condition, Operation, Operations } from '../../backends/table/port.ts'
import type { MediaId } from '../../vocabulary/ids.ts'
import { held } from '../concurrency/conditional.ts'
import type { Writing } from '../library.ts'
import { reservationEnd } from '../usage/reservations.ts'
import { feedPosition, TOMBSTONE_SECONDS } from './change-feed.ts'
import { askForEncoding } from './encoding-job.ts'
import { mediaKey, type StoredMedia, type StoredTombstone, tombstoneKey } from './keys.ts'
import {
  type EditableMetadata,
  type FileFacts,
  type FileNote,
  isAvailable,
  type MediaLink,
  type MediaRecord,
  type NextFile,
} from './media.ts'
import { type Placement, storedPlacement } from './placement.ts'
import { stepTo } from './states.ts'

/** What plans a change of a file needs. */
export type Changing = Pick<Writing, 'clock' | 'by'>

/** A file's metadata after an edit. */
export interface MetadataEdit {
  edited: EditableMetadata
  /** The new value; undefined keeps the old one. */
  emptied: MediaRecord['emptied']
}

/** What may change of a file. */
export type MediaChange =
  /** Its import has ended: it is available. */
  | { imported: FileFacts & Partial<EditableMetadata>; suggestionsWanted: boolean }
  /** Its metadata was edited, which makes another version. */
  | MetadataEdit
  /**
   * The operator imports an item of the stock catalogue again with other metadata, which makes another version. `uploadKey` names a file for an item
   * that had none. Its import begins, and the item is unavailable until that ends.
   */
  | { reimported: Partial<EditableMetadata & Pick<MediaRecord, 'emptied' | 'filename'>>; uploadKey?: string | undefined }
  /** Another file is its current one, which makes another version. */
  | { exchanged: NextFile; suggestionsWanted: boolean }
  /** Its current file has another note. */
  | { noted: FileNote }
  /** It has other numbers that aren't current. */
  | Required<Pick<MediaRecord, 'versionBytes'>>
  /** A replacement that failed was given a number. */
  | Required<Pick<MediaRecord, 'lastNumber'>>
  /** Other folders hold it, its pointers give other rights, or it has other links. `links` undefined keeps them. */
  | { placed: Placement; links?: MediaLink[] }
  /** Both at once. */
  | (MetadataEdit & { placed: Placement; links?: MediaLink[] })
  /** Whether it waits for suggested keywords. */
  | { suggestionsWanted: boolean }
  /** The keywords that were suggested for its picture. */
  | { suggested: string[] }

/**
 * The one operation that changes a file. It increments the revision, gives the change its position in the feed and records the actor. It fails when
 * the file has changed since it was read.
 * @returns also the file after the change
 */
export function mediaChange<Media extends MediaRecord>({ clock, by }: Changing, media: Media, change: MediaChange) {
  const now = clock.now()
  const after = changedBy(media, change, now)
  const lastStep = isTold(change) ? stepTo(media, { ...media, ...after }, { by, at: now }) : undefined
  const changed = { ...after, ...(lastStep && { lastStep }) }
  // Readers of the feed also learn that an item is unavailable for a time.
  const isListed = media.feedKey !== undefined || isAvailable({ ...media, ...changed })
  const set = { ...changed, revision: media.revision + 1, by, ...(isListed && feedPosition(media, now)) }
  const remove = endedBy(change).filter((attribute) => set[attribute as keyof typeof set] === undefined)
  const operation: Operation = {
    update: mediaKey(media.mediaId),
    changes: { set, remove },
    if: { revision: { equals: media.revision } },
  }
  return { operation, media: { ...media, ...set } }
}

/** Attributes of files that are being imported only. */
const importAttributes = ['delayed', 'attempts'] as const satisfies (keyof MediaRecord)[]
/** Attributes of files that wait for suggested keywords only. */
const waitingAttributes = ['suggestionsWanted'] as const satisfies (keyof MediaRecord)[]
/** Attributes that are about suggestions for the current file. */
const suggestionAttributes = [...waitingAttributes, 'suggestedAt'] as const satisfies (keyof MediaRecord)[]

/** Attributes that not every file has. */
const fileAttributes = ['stored', 'comment', 'pinned', 'thumbhash', 'contentCredentials', 'video'] as const satisfies (keyof NextFile)[]
export const noteAttributes = ['comment', 'pinned'] as const satisfies (keyof FileNote)[]

/** Whether the history tells of such changes. Items of the stock catalogue have none. */
const isTold = (change: MediaChange): boolean => 'edited' in change || 'exchanged' in change

/** Attributes that a change removes, unless it sets them. */
function endedBy(change: MediaChange): readonly (keyof MediaRecord)[] {
  if ('imported' in change) return importAttributes
  if ('exchanged' in change) return [...fileAttributes, ...suggestionAttributes]
  if ('noted' in change) return noteAttributes
  return 'suggested' in change || 'suggestionsWanted' in change ? waitingAttributes : []
}

function changedBy({ version }: MediaRecord, change: MediaChange, now: number): Partial<MediaRecord> {
  const waiting = 'suggestionsWanted' in change && change.suggestionsWanted && { suggestionsWanted: now }
  if ('imported' in change) return { ...change.imported, state: 'available', progress: 100, modified: now, ...waiting }
  if ('exchanged' in change) return { ...change.exchanged, version: version + 1, modified: now, ...waiting }
  if ('noted' in change) return change.noted
  if ('versionBytes' in change || 'lastNumber' in change) return change
  if ('edited' in change) {
    const placement = 'placed' in change && { ...storedPlacement(change.placed), links: change.links }
    return { ...change.edited, emptied: change.emptied, version: version + 1, modified: now, ...placement }
  }
  if ('reimported' in change) {
    const { reimported, uploadKey } = change
    const importing = uploadKey === undefined ? {} : { uploadKey, state: 'importing' as const, progress: 0 }
    return { ...reimported, ...importing, version: version + 1, modified: now }
  }
  if ('suggested' in change) return { suggestedKeywords: change.suggested, suggestedAt: now }
  if ('placed' in change) return { ...storedPlacement(change.placed), links: change.links }
  return { ...waiting }
}

/** The operation that creates a file. Fails when the id is taken. */
export function mediaCreation(
  { by }: Pick<Changing, 'by'>,
  media: Omit<MediaRecord, 'version' | 'revision' | 'by'> & Pick<Partial<MediaRecord>, 'version'>,
): Operation {
  const created: StoredMedia = { ...mediaKey(media.mediaId), ...media, version: media.version ?? 1, revision: 1, by }
  return { put: created, if: { pk: { exists: false } } }
}

/** The operations that delete a file's record, leave a tombstone for search engines and others, and ask for the removal of a video's encoded files. */
export function mediaRemoval(library: Changing, media: MediaRecord): Operations {
  const { mediaId, companyId, revision, uploadKey, kind, folders, version } = media
  const { by } = library
  const now = library.clock.now()
  const tombstone: StoredTombstone = {
    ...{ ...tombstoneKey(mediaId), mediaId, companyId, revision: revision + 1, kind, by },
    ...(isAvailable(media) && { folders, version }),
    ...feedPosition({ companyId, mediaId }, now),
    ttl: Math.floor(now / 1000) + TOMBSTONE_SECONDS,
  }
  return {
    [`media ${mediaId}`]: { delete: mediaKey(mediaId), if: { revision: { equals: revision } } },
    [`tombstone ${mediaId}`]: { put: tombstone },
    ...(!isAvailable(media) && { [`reservation ${mediaId}`]: reservationEnd(companyId, uploadKey) }),
    ...(kind === 'video' && { [`encoding ${mediaId}`]: askForEncoding(library, media) }),
  }
}

/**
 * Records the progress of an import. `revision` and `by` stay, so this never makes a change fail. Does nothing once the file is available or deleted.
 * @param condition must hold too
 */
export async function noteImport(
  { table }: Pick<Writing, 'table'>,
  mediaId: MediaId,
  note: { set: Pick<Partial<MediaRecord>, 'progress' | 'delayed'> } | { add: { attempts: 1 | -1 } },
  condition: Condition = {},
): Promise<void> {
  const changes: Changes = note
  await held(table.update(mediaKey(mediaId), changes, { state: { equals: 'importing' }, ...condition }))
}
