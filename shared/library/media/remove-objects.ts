import type { Objects } from '../../backends/objects/port.ts'
import { removeBelow } from '../remove-below.ts'
import { type MediaRecord, objectKeys } from './media.ts'

/** Removes all objects of a file: original, tags, renditions. Idempotent. */
export async function removeObjects(library: { media: Objects }, file: Pick<MediaRecord, 'companyId' | 'mediaId'>): Promise<void> {
  await removeBelow(library.media, objectKeys.prefix(file))
}

/** Removes a file's renditions. */
export async function removeRenditions(library: { media: Objects }, file: Pick<MediaRecord, 'companyId' | 'mediaId'>): Promise<void> {
  await removeBelow(library.media, objectKeys.renditions(file))
}
