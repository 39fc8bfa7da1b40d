import type { Objects } from '../../backends/objects/port.ts'
import type { CompanyId } from '../../vocabulary/ids.ts'
import { forgetCopies } from '../downloads/copies.ts'
import type { Writing } from '../library.ts'
import { removeObjects } from '../media/objects.ts'
import type { RemovedFile } from '../media/remove-files.ts'

interface FileRemoval extends Pick<Writing, 'table'> {
  media: Objects
  uploads: Pick<Objects, 'delete'>
}

/** Removes the objects of deleted files and their prepared downloads. Idempotent. */
export async function removeStoredFiles(library: FileRemoval, companyId: CompanyId, files: readonly RemovedFile[]): Promise<void> {
  for (const { mediaId } of files) {
    await forgetCopies(library, mediaId)
    await removeObjects(library, { companyId, mediaId })
  }
  // Items of the stock catalogue had no file.
  await library.uploads.delete(files.flatMap(({ uploadKey }) => uploadKey || []))
}
