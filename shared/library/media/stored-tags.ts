import { json } from 'node:stream/consumers'
import type { ObjectReader } from '../../backends/objects/port.ts'
import type { FileTags } from '../../tools/metadata/tags.ts'
import { type AvailableMedia, objectKeys } from './media.ts'

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
