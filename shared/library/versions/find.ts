import type { MediaId } from '../../vocabulary/ids.ts'
import { Conflict, NotFound } from '../errors.ts'
import type { Reading } from '../library.ts'
import { type FormerFile, formerFile, type ImportedFile } from '../media/files.ts'

/** A number of a file that isn't current. @throws NotFound also for one that was deleted */
export async function findFormer(library: Reading, mediaId: MediaId, number: number): Promise<FormerFile> {
  const former = await formerFile(library, mediaId, number)
  if (!former) throw new NotFound('file')
  return former
}

/** A number of a file that isn't current and whose import succeeded. @throws NotFound, Conflict `not_available` */
export async function findImported(library: Reading, mediaId: MediaId, number: number): Promise<ImportedFile> {
  const former = await findFormer(library, mediaId, number)
  if (former.state === 'failed') throw new Conflict('The import of this file failed: there is nothing of it.', 'not_available')
  return former
}
