import type { Objects } from '../../backends/objects/port.ts'
import { removeBelow } from '../remove-below.ts'
import { type MediaRecord, objectKeys } from './media.ts'

/** Removes everything stored of a file: original, tags, renditions. Any number of times. */
export async function removeObjects(library: { media: Objects }, file: Pick<MediaRecord, 'companyId' | 'mediaId'>): Promise<void> {
  await removeBelow(library.media, objectKeys.prefix(file))
}

/** Removes the renditions that are stored of a file. */
export async function removeRenditions(library: { media: Objects }, file: Pick<MediaRecord, 'companyId' | 'mediaId'>): Promise<void> {
  await removeBelow(library.media, objectKeys.renditions(file))
}
