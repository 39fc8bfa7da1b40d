import { json } from 'node:stream/consumers'
import type { ObjectReader, Objects } from '../../backends/objects/port.ts'
import type { FileTags } from '../../tools/metadata/tags.ts'
import type { CompanyId, MediaId, StoredId } from '../../vocabulary/ids.ts'
import { removeBelow } from '../remove-below.ts'
import type { AvailableMedia, MediaRecord } from './media.ts'

/** Keys of all renditions in the `media` bucket, for policies. */
export const RENDITIONS = '*/renditions/*'

type OfMedia = { companyId: CompanyId; mediaId: MediaId }
/** Of one of its files. `stored` as in `NumberedFile`. */
type OfFile = OfMedia & { stored?: StoredId | undefined }

/** Where a file's objects are in the `media` bucket. Whatever is made of a number's bytes is below `files/<stored>/`; of the first file it is not. */
export const objectKeys = {
  prefix: ({ companyId, mediaId }: OfMedia) => `${companyId}/${mediaId}/`,
  /** Of the objects of bytes that came with a replacement. */
  files: (media: OfMedia, stored: StoredId) => `${objectKeys.prefix(media)}files/${stored}/`,
  original: (file: OfFile) => `${beginning(file)}original`,
  tags: (file: OfFile) => `${beginning(file)}tags.json`,
  /** @param owner makes the key unique to its writer, so that writers never overwrite each other */
  download: (media: OfMedia, name: string, owner: string) => `${objectKeys.downloads(media)}${name}.${owner}`,
  downloads: (media: OfMedia) => `${objectKeys.prefix(media)}downloads/`,
  renditions: (file: OfFile) => `${beginning(file)}renditions/`,
  /** Named by its pixels, so sizes that are no smaller than the original share one object. */
  rendition: (file: OfFile, { width, height }: { width: number; height: number }) => `${objectKeys.renditions(file)}${width}x${height}`,
}

const beginning = (file: OfFile): string => (file.stored === undefined ? objectKeys.prefix(file) : objectKeys.files(file, file.stored))

/** Removes all objects of a file and its former ones: originals, tags, renditions. Idempotent. */
export async function removeObjects(library: { media: Objects }, file: Pick<MediaRecord, 'companyId' | 'mediaId'>): Promise<void> {
  await removeBelow(library.media, objectKeys.prefix(file))
}

/** Removes the renditions of one number of a file. */
export async function removeRenditions(library: { media: Objects }, file: OfFile): Promise<void> {
  await removeBelow(library.media, objectKeys.renditions(file))
}

/**
 * ExifTool's output of a file's import.
 * @throws ObjectMissing where none is stored, ObjectsUnavailable
 */
export async function storedTags(
  objects: Pick<ObjectReader, 'get'>,
  media: Pick<AvailableMedia, 'companyId' | 'mediaId' | 'stored'>,
): Promise<FileTags['printed']> {
  const { stream } = await objects.get(objectKeys.tags(media))
  return (await json(stream)) as FileTags['printed']
}
