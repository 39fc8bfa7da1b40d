import type { Objects } from '../../backends/objects/port.ts'
import { type Removing, removeDownloadsOf } from '../downloads/remove.ts'
import type { MediaRecord } from '../media/media.ts'
import { removeObjects } from '../media/remove-objects.ts'

/** The resources of the removal of stored files. */
export interface FileRemoval extends Removing {
  media: Objects
  uploads: Pick<Objects, 'delete'>
}

type RemovedFile = Pick<MediaRecord, 'companyId' | 'mediaId'> & { uploadKey?: string }

/** Removes everything stored of a file that is no more, and what is prepared of it. Idempotent. */
export async function removeStoredFile(library: FileRemoval, file: RemovedFile): Promise<void> {
  await removeDownloadsOf(library, file.mediaId)
  await removeObjects(library, file)
  // A file that an earlier version removed doesn't say: the sweep of uploads finds it.
  if (file.uploadKey !== undefined) await library.uploads.delete([file.uploadKey])
}
