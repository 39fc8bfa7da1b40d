import type { Objects } from '../../backends/objects/port.ts'
import { forgetCopies } from '../downloads/copies.ts'
import type { Writing } from '../library.ts'
import type { MediaRecord } from '../media/media.ts'
import { removeObjects } from '../media/remove-objects.ts'

export interface FileRemoval extends Pick<Writing, 'table'> {
  media: Objects
  uploads: Pick<Objects, 'delete'>
}

type RemovedFile = Pick<MediaRecord, 'companyId' | 'mediaId'> & { uploadKey?: string }

/** Removes the objects of a deleted file and its prepared downloads. Idempotent. */
export async function removeStoredFile(library: FileRemoval, file: RemovedFile): Promise<void> {
  await forgetCopies(library, file.mediaId)
  await removeObjects(library, file)
  // A file that an earlier version removed doesn't say: the sweep of uploads finds it.
  if (file.uploadKey !== undefined) await library.uploads.delete([file.uploadKey])
}
