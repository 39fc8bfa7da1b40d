import type { MediaId } from '../../vocabulary/ids.ts'
import type { AuthorizedWriting } from '../access/access.ts'
import { retryOnConflict } from '../concurrency/retry.ts'
import type { Delivering } from '../media/delivery.ts'
import { currentFile, fileNote } from '../media/files.ts'
import { availableMediaWith, type Expecting, requireVersion } from '../media/find.ts'
import type { FileNote } from '../media/media.ts'
import { askForSweep } from '../media/sweep-job.ts'
import { currentEntry, type FileEntry, formerEntry } from './entry.ts'
import { findFormer } from './find.ts'

/** A change of a note. Absent fields stay; an empty comment and null remove it. */
export type NoteChange = { comment?: string | null | undefined; pinned?: boolean | undefined }

/** Changes the note of a number of a file, which is no step of the version. Needs WRITE. @throws NotFound, Forbidden, Conflict, VersionMismatch */
export async function noteFile(
  library: AuthorizedWriting & Delivering & Expecting,
  mediaId: MediaId,
  number: number,
  change: NoteChange,
): Promise<FileEntry> {
  return retryOnConflict(async () => {
    const media = await availableMediaWith(library, 'WRITE', mediaId)
    requireVersion(media, library.expectedVersions)
    const current = currentFile(media)
    const file = number === current.fileNumber ? current : await findFormer(library, mediaId, number)
    const { comment = file.comment, pinned = file.pinned } = change
    const note: FileNote = { comment: comment || undefined, pinned: pinned || undefined }
    const isUnpinned = file.pinned && !note.pinned
    if (note.comment !== file.comment || note.pinned !== file.pinned) {
      await library.table.transact({
        note: fileNote(library, media, file, note),
        ...(isUnpinned && file !== current && { sweep: askForSweep(library, media, `unpinned-${number}`) }),
      })
    }
    return 'state' in file ? formerEntry(library, { ...file, ...note }) : currentEntry(library, { ...media, ...note })
  })
}
