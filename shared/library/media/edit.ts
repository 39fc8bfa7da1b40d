import { ConditionFailed } from '../../backends/table/port.ts'
import type { MediaId } from '../../vocabulary/ids.ts'
import type { AuthorizedWriting } from '../access/access.ts'
import { retryOnConflict } from '../concurrency/retry.ts'
import { Invalid, NotFound, VersionMismatch } from '../errors.ts'
import type { Writing } from '../library.ts'
import { type MediaChange, mediaChange } from './changes.ts'
import { copiesOfEdited } from './copy-job.ts'
import { emptiedAfter } from './emptied.ts'
import { available, availableMediaWith, getMany } from './find.ts'
import type { AvailableMedia, EditableMetadata } from './media.ts'

/** Most metadata one file may carry, in bytes of JSON: it shares an item with all else that is known of the file. */
const MAX_METADATA_BYTES = 200 * 1024
/** Most files that one request may edit: what a transaction holds. */
export const MAX_EDITED = 100

/** A function of the current metadata. It runs again when another change was faster. */
export type Edit = (media: AvailableMedia) => Partial<EditableMetadata>

/** A file after an edit. Without READ on it the caller is told nothing of it but what they sent. */
export interface Edited {
  media: AvailableMedia
  /** Whether the caller has READ on it. */
  readable: boolean
}

/** What may be required of the files of an edit. */
interface Expecting {
  /** Versions that each file must have one of; undefined where any will do. */
  expectedVersions?: readonly number[] | undefined
}

/** Edits files; needs WRITE on each, and without it on one of them nothing changes. @throws NotFound, Forbidden, Conflict, Invalid, VersionMismatch */
export async function editMedia(library: AuthorizedWriting & Expecting, mediaIds: readonly MediaId[], edit: Edit): Promise<Edited[]> {
  const { access } = library
  for (const mediaId of mediaIds) await availableMediaWith(library, 'WRITE', mediaId)
  const edited = await editMetadata(library, mediaIds, edit)
  return Promise.all(edited.map(async (media) => ({ media, readable: await access.hasOnMedia('READ', media) })))
}

/** Edits one file; needs WRITE on it. @throws NotFound, Forbidden, Conflict, Invalid, VersionMismatch */
export async function editOne(library: AuthorizedWriting & Expecting, mediaId: MediaId, edit: Edit): Promise<Edited> {
  const [edited] = await editMedia(library, [mediaId], edit)
  return edited!
}

/**
 * Edits the metadata of files: all of them or none. Each edit raises the version by exactly one, also when several come at the
 * same time. Rights are the caller's to check. @returns the files as they are then, in the order given
 * @throws NotFound, Conflict, VersionMismatch, Invalid when the metadata grows too large
 */
export async function editMetadata(library: Writing & Expecting, mediaIds: readonly MediaId[], edit: Edit): Promise<AvailableMedia[]> {
  return retryOnConflict(async () => {
    const found = await getMany(library, mediaIds)
    if (found.length < mediaIds.length) throw new NotFound('media')
    const current = found.map(available)
    requireVersions(library, current)
    const changes = current.map((media) => mediaChange(library, media, editOf(media, edit(media))))
    const edited = changes.map(({ media }) => media)
    checkTogether(edited)
    const changed = Object.fromEntries(changes.map(({ media, operation }) => [`media ${media.mediaId}`, operation]))
    await library.table
      .transact({ ...changed, ...copiesOfEdited(library, edited, MAX_EDITED - edited.length) })
      .catch(goneIsNotFound(library, mediaIds))
    return edited
  })
}

function requireVersions({ expectedVersions }: Expecting, current: readonly AvailableMedia[]): void {
  const other = expectedVersions && current.find(({ version }) => !expectedVersions.includes(version))
  if (other) throw new VersionMismatch(other.mediaId, other.version)
}

/** A condition also fails when the file was deleted meanwhile: trying again would not help. */
function goneIsNotFound(library: Writing, mediaIds: readonly MediaId[]) {
  return async (error: unknown) => {
    if (error instanceof ConditionFailed && (await getMany(library, mediaIds)).length < mediaIds.length) throw new NotFound('media')
    throw error
  }
}

function editOf(media: AvailableMedia, edited: Partial<EditableMetadata>): MediaChange {
  return { edited: checked({ ...editable(media), ...edited }), emptied: emptiedAfter(media, edited) }
}

/** The part of a file's record that may be edited. */
export function editable(media: EditableMetadata): EditableMetadata {
  const { title, description, keywords, byline, copyright, expires, editorial, adultContent } = media
  return { title, description, keywords, byline, copyright, expires, editorial, adultContent }
}

/** A transaction holds 4 MB; some of that is for what the table adds. */
const MAX_TOGETHER_BYTES = 3.5 * 1024 * 1024

function checkTogether(edited: readonly AvailableMedia[]): void {
  const bytes = edited.reduce((sum, media) => sum + Buffer.byteLength(JSON.stringify(media)), 0)
  if (edited.length > 1 && bytes > MAX_TOGETHER_BYTES) {
    throw new Invalid({ path: 'id', message: 'names files that hold too much metadata together: name fewer' }, 'metadata_too_large')
  }
}

/** @throws Invalid when the metadata is too large */
export function checked(metadata: EditableMetadata): EditableMetadata {
  if (Buffer.byteLength(JSON.stringify(metadata)) > MAX_METADATA_BYTES) {
    throw new Invalid({ path: '', message: `A file's metadata may be at most ${MAX_METADATA_BYTES} bytes.` }, 'metadata_too_large')
  }
  return metadata
}
