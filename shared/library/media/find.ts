import type { TableReader } from '../../backends/table/port.ts'
import type { Access } from '../access/access.ts'
import { Conflict, NotFound } from '../errors.ts'
import type { Right } from '../tree/rights.ts'
import { type AvailableMedia, isAvailable, type MediaRecord, mediaKey } from './media.ts'

/** @throws NotFound when there is none. Says nothing of rights. */
export async function findMedia(table: TableReader, mediaId: number): Promise<MediaRecord> {
  const media = await table.get<MediaRecord>(mediaKey(mediaId))
  if (!media) throw new NotFound('media')
  return media
}

/** A file, imported or not, on which the caller has this right. @throws NotFound, Forbidden */
export async function mediaWith(right: Right, table: TableReader, access: Access, mediaId: number): Promise<MediaRecord> {
  const media = await findMedia(table, mediaId)
  await access.requireMedia(right, media)
  return media
}

/** An imported file on which the caller has this right. @throws NotFound, Forbidden, Conflict while it is being imported */
export async function availableMediaWith(right: Right, table: TableReader, access: Access, mediaId: number): Promise<AvailableMedia> {
  return available(await mediaWith(right, table, access, mediaId))
}

/** @throws Conflict while it is being imported */
export function available(media: MediaRecord): AvailableMedia {
  if (!isAvailable(media)) throw new Conflict('The file is still being imported. Try again when it is available.', 'importing')
  return media
}
