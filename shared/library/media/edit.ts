import type { Clock } from '../../backends/clock/port.ts'
import { ConditionFailed, type Operation, type Table } from '../../backends/table/port.ts'
import { Invalid, NotFound } from '../errors.ts'
import { retryOnConflict } from '../retry.ts'
import { feedPlace } from './change-feed.ts'
import { available } from './find.ts'
import { type AvailableMedia, type EditableMetadata, type MediaRecord, mediaKey } from './media.ts'

/** Most metadata one file may carry, in bytes of JSON: it shares an item with all else that is known of the file. */
export const MAX_METADATA_BYTES = 200 * 1024
/** Most files that one request may edit: what a transaction holds. */
export const MAX_EDITED = 100

/** A function of the metadata as it is; runs again when somebody else was faster. */
export type Edit = (media: AvailableMedia) => Partial<EditableMetadata>

interface Writing {
  table: Table
  clock: Clock
}

/**
 * Edits the metadata of files: all of them or none. Each edit raises the version by exactly one, whoever else edits at the
 * same time. Rights are the caller's to check. @returns the files as they are then, in the order given
 * @throws NotFound, Conflict, Invalid when the metadata grows too large
 */
export async function editMetadata({ table, clock }: Writing, mediaIds: readonly number[], edit: Edit): Promise<AvailableMedia[]> {
  return retryOnConflict(async () => {
    const found = await table.getMany<MediaRecord>(mediaIds.map(mediaKey))
    if (found.length < mediaIds.length) throw new NotFound('media')
    const edited = found
      .map(available)
      .map((media) => ({ ...media, ...checked({ ...editable(media), ...edit(media) }), ...nextVersion(media, clock.now()) }))
    checkTogether(edited)
    await table
      .transact(Object.fromEntries(edited.map((media) => [`media ${media.mediaId}`, replace(media)])))
      .catch(goneIsNotFound(table, mediaIds))
    return edited
  })
}

function nextVersion(media: MediaRecord, now: number) {
  return { modified: now, version: media.version + 1, revision: media.revision + 1, ...feedPlace(media, now) }
}

function replace(media: MediaRecord): Operation {
  return { put: media, if: { revision: { equals: media.revision - 1 } } }
}

/** A condition also fails when the file was deleted meanwhile: trying again would not help. */
function goneIsNotFound(table: Table, mediaIds: readonly number[]) {
  return async (error: unknown) => {
    if (error instanceof ConditionFailed) {
      const found = await table.getMany(mediaIds.map(mediaKey))
      if (found.length < mediaIds.length) throw new NotFound('media')
    }
    throw error
  }
}

function editable(media: AvailableMedia): EditableMetadata {
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

function checked(metadata: EditableMetadata): EditableMetadata {
  if (Buffer.byteLength(JSON.stringify(metadata)) > MAX_METADATA_BYTES) {
    throw new Invalid({ path: '', message: `A file's metadata may be at most ${MAX_METADATA_BYTES} bytes.` }, 'metadata_too_large')
  }
  return metadata
}
