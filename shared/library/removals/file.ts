import type { Objects } from '../../backends/objects/port.ts'
import { forgetCopies } from '../downloads/copies.ts'
import type { Writing } from '../library.ts'
import type { MediaRecord } from '../media/media.ts'
import { removeObjects } from '../media/objects.ts'

export interface FileRemoval extends Pick<Writing, 'table'> {
  media: Objects
  uploads: Pick<Objects, 'delete'>
}

/** Removes the objects of a deleted file and its prepared downloads. Idempotent. */
export async function removeStoredFile(
  library: FileRemoval,
  file: Pick<MediaRecord, 'companyId' | 'mediaId' | 'uploadKey'>,
): Promise<void> {
  await forgetCopies(library, file.mediaId)
  await removeObjects(library, file)
  await library.uploads.delete([file.uploadKey])
}
