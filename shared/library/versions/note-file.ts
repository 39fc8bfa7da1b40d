import type { MediaId } from '../../vocabulary/ids.ts'
import type { AuthorizedWriting } from '../access/access.ts'
import { retryOnConflict } from '../concurrency/retry.ts'
import type { Delivering } from '../media/delivery.ts'
import { currentFile, fileNote } from '../media/files.ts'
import { availableMediaWith, type Expecting, requireVersion } from '../media/find.ts'
import { askForSweep } from '../media/sweep-job.ts'
import { currentEntry, type FileEntry, formerEntry } from './entry.ts'
import { findFormer } from './find.ts'

/** What stays as it is is undefined. An empty comment, and null, say nothing any more. */
export type Note = { comment?: string | null | undefined; pinned?: boolean | undefined }

/** Says something of a number of a file, or keeps it for ever. Needs WRITE. That is no step of the version. @throws NotFound, Forbidden, Conflict, VersionMismatch */
export async function noteFile(
  library: AuthorizedWriting & Delivering & Expecting,
  mediaId: MediaId,
  number: number,
  said: Note,
): Promise<FileEntry> {
  return retryOnConflict(async () => {
    const media = await availableMediaWith(library, 'WRITE', mediaId)
    requireVersion(media, library.expectedVersions)
    const current = currentFile(media)
    const isCurrent = current.fileNumber === number
    const file = isCurrent ? current : await findFormer(library, mediaId, number)
    const { comment = file.comment, pinned = file.pinned ?? false } = said
    const note = { comment: comment ?? '', pinned }
    const isUnpinned = file.pinned === true && !note.pinned
    const after = { comment: note.comment || undefined, pinned: note.pinned || undefined }
    if (after.comment !== file.comment || after.pinned !== file.pinned) {
      await library.table.transact({
        ...fileNote(library, media, number, note),
        ...(isUnpinned && !isCurrent && { sweep: askForSweep(library, media, `unpinned-${number}`) }),
      })
    }
    if ('state' in file) return formerEntry(library, { ...file, ...after })
    return currentEntry(library, { ...media, ...after })
  })
}
