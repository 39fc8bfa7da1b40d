import type { ContentsId, MediaId } from '../../vocabulary/ids.ts'
import type { AuthorizedReading, PlacedMedia } from '../access/access.ts'
import { Conflict, NotFound, VersionMismatch } from '../errors.ts'
import type { Reading } from '../library.ts'
import type { Right } from '../tree/folder.ts'
import { mediaKey, type StoredMedia, type StoredTombstone, tombstoneKey } from './keys.ts'
import { type AvailableMedia, isAvailable, type MediaRecord, type Tombstone } from './media.ts'

/** A file; undefined for an unknown id. Checks no rights, like all functions without `access`. */
export async function getMedia({ table }: Reading, mediaId: MediaId): Promise<MediaRecord | undefined> {
  return table.get<StoredMedia>(mediaKey(mediaId))
}

/** Files in the order of these ids. Missing files are left out. */
export async function getMany(
  { table }: Reading,
  mediaIds: readonly MediaId[],
  options?: { consistent?: boolean },
): Promise<MediaRecord[]> {
  return table.getMany<StoredMedia>(mediaIds.map(mediaKey), options)
}

/** Attributes of a file's record that tell where it is. */
const PLACED = ['state', 'mediaId', 'folders'] as const
type PlacedFile = Pick<StoredMedia, 'pk' | 'sk' | (typeof PLACED)[number]>

/** The folders of files. Missing files and those that are not yet imported are left out. */
export async function foldersOfMany({ table }: Reading, mediaIds: readonly MediaId[]): Promise<Map<MediaId, readonly ContentsId[]>> {
  const found = await table.getMany<PlacedFile>(mediaIds.map(mediaKey), { attributes: PLACED })
  return new Map(found.filter(({ state }) => state === 'available').map(({ mediaId, folders }) => [mediaId, folders]))
}

/** Placements of files, imported or not, on which rights depend. Missing files are left out. */
export async function placesOfMany({ table }: Reading, mediaIds: readonly MediaId[]): Promise<Map<MediaId, PlacedMedia>> {
  const attributes = ['companyId', 'mediaId', 'folders', 'readOnlyIn'] as const
  const found = await table.getMany<Pick<StoredMedia, 'pk' | 'sk' | (typeof attributes)[number]>>(mediaIds.map(mediaKey), { attributes })
  return new Map(found.map((media) => [media.mediaId, media]))
}

/** The tombstone of a removed file. */
export async function getTombstone({ table }: Reading, mediaId: MediaId): Promise<Tombstone | undefined> {
  return table.get<StoredTombstone>(tombstoneKey(mediaId))
}

/** @throws NotFound */
export async function findMedia(library: Reading, mediaId: MediaId): Promise<MediaRecord> {
  const media = await getMedia(library, mediaId)
  if (!media) throw new NotFound('media')
  return media
}

/** A file, imported or not, on which the caller has this right. @throws NotFound, Forbidden */
export async function mediaWith(library: AuthorizedReading, right: Right, mediaId: MediaId): Promise<MediaRecord> {
  const media = await findMedia(library, mediaId)
  await library.access.requireMedia(right, media)
  return media
}

/** An imported file on which the caller has this right. @throws NotFound, Forbidden, Conflict while it is being imported */
export async function availableMediaWith(library: AuthorizedReading, right: Right, mediaId: MediaId): Promise<AvailableMedia> {
  return available(await mediaWith(library, right, mediaId))
}

/** @throws Conflict while it is being imported */
export function available(media: MediaRecord): AvailableMedia {
  if (!isAvailable(media)) throw new Conflict('The file is still being imported. Try again when it is available.', 'importing')
  return media
}

/** A file of which another may become the current one by the caller. @throws NotFound, Forbidden, Conflict `importing`, `trashed` */
export async function replaceableMedia(library: AuthorizedReading, mediaId: MediaId): Promise<AvailableMedia> {
  const media = await availableMediaWith(library, 'WRITE', mediaId)
  if (await library.access.isTrashed(media)) throw new Conflict('The file is in the trash. Restore it from there first.', 'trashed')
  return media
}

/** What a caller expects of files that they change. */
export interface Expecting {
  /** Accepted versions of each file; undefined accepts any. */
  expectedVersions?: readonly number[] | undefined
}

/** @param accepted versions; undefined accepts any @throws VersionMismatch */
export function requireVersion({ mediaId, version }: AvailableMedia, accepted: readonly number[] | undefined): void {
  if (accepted && !accepted.includes(version)) throw new VersionMismatch(mediaId, version)
}
