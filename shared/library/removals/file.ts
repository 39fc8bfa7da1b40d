import type { Objects } from '../../backends/objects/port.ts'
import { type Removing, removeDownloadsOf } from '../downloads/remove.ts'
import type { MediaRecord } from '../media/media.ts'
import { removeObjects } from '../media/remove-objects.ts'

export interface FileRemoval extends Removing {
  media: Objects
  uploads: Pick<Objects, 'delete'>
}

type RemovedFile = Pick<MediaRecord, 'companyId' | 'mediaId'> & { uploadKey?: string }

/** Removes the objects of a deleted file and its prepared downloads. Idempotent. */
export async function removeStoredFile(library: FileRemoval, file: RemovedFile): Promise<void> {
  await removeDownloadsOf(library, file.mediaId)
  await removeObjects(library, file)
  // A file that an earlier version removed doesn't say: the sweep of uploads finds it.
  if (file.uploadKey !== undefined) await library.uploads.delete([file.uploadKey])
}
