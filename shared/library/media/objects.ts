import { json } from 'node:stream/consumers'
import type { ObjectReader, Objects } from '../../backends/objects/port.ts'
import type { FileTags } from '../../tools/metadata/tags.ts'
import type { CompanyId, MediaId } from '../../vocabulary/ids.ts'
import { removeBelow } from '../remove-below.ts'
import type { AvailableMedia, MediaRecord } from './media.ts'

/** Keys of all renditions in the `media` bucket, for policies. */
export const RENDITIONS = '*/renditions/*'

/** Where a file's objects are in the `media` bucket. */
export const objectKeys = {
  prefix: (media: { companyId: CompanyId; mediaId: MediaId }) => `${media.companyId}/${media.mediaId}/`,
  original: (media: { companyId: CompanyId; mediaId: MediaId }) => `${media.companyId}/${media.mediaId}/original`,
  tags: (media: { companyId: CompanyId; mediaId: MediaId }) => `${media.companyId}/${media.mediaId}/tags.json`,
  /** @param owner makes the key unique to its writer, so that writers never overwrite each other */
  download: (media: { companyId: CompanyId; mediaId: MediaId }, name: string, owner: string) =>
    `${objectKeys.downloads(media)}${name}.${owner}`,
  downloads: (media: { companyId: CompanyId; mediaId: MediaId }) => `${media.companyId}/${media.mediaId}/downloads/`,
  renditions: (media: { companyId: CompanyId; mediaId: MediaId }) => `${media.companyId}/${media.mediaId}/renditions/`,
  /** Named by its pixels, so sizes that are no smaller than the original share one object. */
  rendition: (media: { companyId: CompanyId; mediaId: MediaId }, { width, height }: { width: number; height: number }) =>
    `${media.companyId}/${media.mediaId}/renditions/${width}x${height}`,
}

/** Removes all objects of a file: original, tags, renditions. Idempotent. */
export async function removeObjects(library: { media: Objects }, file: Pick<MediaRecord, 'companyId' | 'mediaId'>): Promise<void> {
  await removeBelow(library.media, objectKeys.prefix(file))
}

/** Removes a file's renditions. */
export async function removeRenditions(library: { media: Objects }, file: Pick<MediaRecord, 'companyId' | 'mediaId'>): Promise<void> {
  await removeBelow(library.media, objectKeys.renditions(file))
}

/**
 * ExifTool's output of a file's import.
 * @throws ObjectMissing where none is stored, ObjectsUnavailable
 */
export async function storedTags(
  objects: Pick<ObjectReader, 'get'>,
  media: Pick<AvailableMedia, 'companyId' | 'mediaId'>,
): Promise<FileTags['printed']> {
  const { stream } = await objects.get(objectKeys.tags(media))
  return (await json(stream)) as FileTags['printed']
}
