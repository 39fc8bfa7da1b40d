import type { MediaId } from '../../vocabulary/ids.ts'
import type { AuthorizedWriting } from '../access/access.ts'
import { retryOnConflict } from '../concurrency/retry.ts'
import { Conflict, NotFound } from '../errors.ts'
import { currentFile, formerFiles, numbersRemoval } from '../media/files.ts'
import { availableMediaWith, type Expecting, requireVersion } from '../media/find.ts'

/** Deletes a number of a file for good. Needs ADMIN. @throws NotFound, Forbidden, VersionMismatch, Conflict `current_file`, `pinned` */
export async function deleteFile(library: AuthorizedWriting & Expecting, mediaId: MediaId, number: number): Promise<void> {
  await retryOnConflict(async () => {
    const media = await availableMediaWith(library, 'ADMIN', mediaId)
    requireVersion(media, library.expectedVersions)
    if (currentFile(media).fileNumber === number) throw new Conflict('This is the current file.', 'current_file')
    const former = await formerFiles(library, mediaId)
    const gone = former.find(({ fileNumber }) => fileNumber === number)
    if (!gone) throw new NotFound('file')
    if (gone.pinned) throw new Conflict('This file is pinned. Unpin it first.', 'pinned')
    await library.table.transact(numbersRemoval(library, media, [gone], former))
  })
}
