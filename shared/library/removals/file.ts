import type { Objects } from '../../backends/objects/port.ts'
import type { CompanyId } from '../../vocabulary/ids.ts'
import { forgetCopies } from '../downloads/copies.ts'
import type { Writing } from '../library.ts'
import { removeObjects } from '../media/objects.ts'
import { removeRemains } from '../media/remains.ts'
import type { RemovedFile } from '../media/remove-files.ts'

interface FileRemoval extends Pick<Writing, 'table'> {
  media: Objects
  uploads: Pick<Objects, 'delete'>
}

/** Removes the objects of deleted files, their prepared downloads, former files, history and replacements that wait. Idempotent. */
export async function removeStoredFiles(library: FileRemoval, companyId: CompanyId, files: readonly RemovedFile[]): Promise<void> {
  for (const { mediaId } of files) {
    await forgetCopies(library, mediaId)
    await removeObjects(library, { companyId, mediaId })
    await removeRemains(library, mediaId)
  }
  // Items of the stock catalogue had no file.
  await library.uploads.delete(files.flatMap(({ uploadKey }) => uploadKey || []))
}
