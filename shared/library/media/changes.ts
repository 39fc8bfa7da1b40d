import type { Changes, Condition, Operation, Operations } from '../../backends/table/port.ts'
import type { MediaId } from '../../vocabulary/ids.ts'
import { held } from '../concurrency/conditional.ts'
import type { Writing } from '../library.ts'
import { reservationEnd } from '../usage/reservations.ts'
import { askForEncoding } from '../videos/job.ts'
import { feedPosition, TOMBSTONE_SECONDS } from './change-feed.ts'
import { mediaKey, type StoredMedia, type StoredTombstone, tombstoneKey } from './keys.ts'
import { type EditableMetadata, type FileFacts, isAvailable, type MediaLink, type MediaRecord } from './media.ts'
import { type Placement, storedPlacement } from './placement.ts'

/** What a change of a file is made with, before it is committed. */
export type Changing = Pick<Writing, 'clock' | 'by'>

/** What may change of a file. */
export type MediaChange =
  /** Its import has ended: it is available. */
  | { imported: FileFacts & Partial<EditableMetadata>; suggestionsWanted: boolean }
  /** Its metadata was edited: that is another version. `emptied` as it is from now on; undefined leaves it as it is. */
  | { edited: EditableMetadata; emptied: MediaRecord['emptied'] }
  /**
   * The operator imports an item of the stock catalogue again, and says other things of it: that is another version. With `uploadKey` the item
   * gets the file that it had not, whose import begins: until that ends the item is not available.
   */
  | { reimported: Partial<EditableMetadata & Pick<MediaRecord, 'emptied' | 'filename'>>; uploadKey?: string | undefined }
  /** Other folders hold it, its pointers give other rights, or it has other links. `links` undefined leaves those as they are. */
  | { placed: Placement; links?: MediaLink[] }
  /** Both at once. */
  | { edited: EditableMetadata; emptied: MediaRecord['emptied']; placed: Placement; links?: MediaLink[] }
  /** Keywords are to be suggested for its picture, or nobody waits for that any more. */
  | { suggestionsWanted: boolean }
  /** Keywords were suggested for its picture: these. */
  | { suggested: string[] }

/**
 * The one operation by which a file changes. It counts the revision, gives the change its position in the feed and says who made it. It fails
 * when the file has changed since it was read.
 * @returns also the file after the change
 */
export function mediaChange<Media extends MediaRecord>({ clock, by }: Changing, media: Media, change: MediaChange) {
  const now = clock.now()
  const changed = changedBy(media, change, now)
  // Whoever reads the feed also learns that an item is not available for a time.
  const isListed = media.feedKey !== undefined || isAvailable({ ...media, ...changed })
  const set = { ...changed, revision: media.revision + 1, by, ...(isListed && feedPosition(media, now)) }
  // An empty MD5, as earlier versions stored it of what has no file, can't be in an index.
  const ended = [...endedBy(change), ...(media.md5 === '' ? (['md5'] as const) : [])]
  const remove = ended.filter((attribute) => !(attribute in set))
  const operation: Operation = {
    update: mediaKey(media.mediaId),
    changes: { set, remove },
    if: { revision: { equals: media.revision } },
  }
  return { operation, media: { ...media, ...set } }
}

/** Attributes that only a file that is being imported has. */
const importAttributes = ['delayed', 'attempts', 'dueKey', 'dueAt'] as const satisfies (keyof MediaRecord)[]
/** Attributes that only a file has for which keywords are to be suggested. */
const waitingAttributes = ['suggestionsWanted', 'dueKey', 'dueAt'] as const satisfies (keyof MediaRecord)[]

/** Attributes that the file has no more, unless the change itself sets them. */
function endedBy(change: MediaChange): readonly (keyof MediaRecord)[] {
  if ('imported' in change) return importAttributes
  return 'suggested' in change || 'suggestionsWanted' in change ? waitingAttributes : []
}

function changedBy({ version }: MediaRecord, change: MediaChange, now: number): Partial<MediaRecord> {
  const waiting = 'suggestionsWanted' in change && change.suggestionsWanted && { suggestionsWanted: now }
  if ('imported' in change) return { ...change.imported, state: 'available', progress: 100, modified: now, ...waiting }
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

/** The operation that makes a file; fails when the id is taken. */
export function mediaCreation(
  { by }: Pick<Changing, 'by'>,
  media: Omit<MediaRecord, 'version' | 'revision' | 'by'> & Pick<Partial<MediaRecord>, 'version'>,
): Operation {
  const created: StoredMedia = { ...mediaKey(media.mediaId), ...media, version: media.version ?? 1, revision: 1, by }
  return { put: created, if: { pk: { exists: false } } }
}

/** The operations that delete a file's record, tell search engines and others of it, and ask for the removal of what was encoded of a video. */
export function mediaRemoval(library: Changing, media: MediaRecord): Operations {
  const { mediaId, companyId, revision, uploadKey, kind, folders, version } = media
  const { by } = library
  const now = library.clock.now()
  const tombstone: StoredTombstone = {
    ...{ ...tombstoneKey(mediaId), mediaId, companyId, revision: revision + 1, uploadKey, kind, by },
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
 * Notes the progress of an import. That is no change of the file: `revision` and `by` stay, so a note never makes a change fail. Does nothing
 * once the file is available, or deleted.
 * @param condition does nothing unless this holds, too
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
