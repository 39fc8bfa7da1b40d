import type { MediaId } from '../../vocabulary/ids.ts'
import type { Access, AuthorizedWriting } from '../access/access.ts'
import type { UserCaller } from '../access/caller.ts'
import { versionsKept } from '../accounts/companies.ts'
import { retryOnConflict } from '../concurrency/retry.ts'
import { Conflict } from '../errors.ts'
import { currentFile, factsIn, fileExchange } from '../media/files.ts'
import { type Expecting, replaceableMedia, requireVersion } from '../media/find.ts'
import { askForLabels } from '../media/label-job.ts'
import { commitSteps } from '../media/states.ts'
import { lacksSuggestions } from '../media/suggestions.ts'
import { findImported } from './find.ts'

/** What a user needs to go back to a file. */
export interface Restoring extends AuthorizedWriting, Expecting {
  access: Access<UserCaller>
}

/**
 * Makes a former file the current one again, under a new number. Needs WRITE. Copies nothing: both numbers have the same stored bytes.
 * @param asked.ifVersion the version that the file must have
 * @returns undefined where the current file has these bytes already
 * @throws NotFound, Forbidden, Conflict `current_file`, `not_available`, `trashed`, VersionMismatch
 */
export async function restoreFile(
  library: Restoring,
  mediaId: MediaId,
  number: number,
  { comment, ifVersion }: { comment?: string | undefined; ifVersion?: number | undefined },
): Promise<{ fileNumber: number; version: number } | undefined> {
  return retryOnConflict(async () => {
    const media = await replaceableMedia(library, mediaId)
    requireVersion(media, library.expectedVersions)
    requireVersion(media, ifVersion === undefined ? undefined : [ifVersion])
    const { fileNumber, lastNumber } = currentFile(media)
    if (number === fileNumber) throw new Conflict('This is the current file.', 'current_file')
    const { filename, uploadKey, stored, ...former } = await findImported(library, mediaId, number)
    if (stored === media.stored) return undefined
    const { companyId } = media
    const file = { ...factsIn(former), filename, uploadKey, ...(stored !== undefined && { stored }) }
    const [keep, suggestionsWanted] = await Promise.all([versionsKept(library, companyId), lacksSuggestions(library, companyId, file)])
    const exchanged = { ...file, fileBy: library.access.caller.user.userId, ...(comment && { comment }) }
    const operations = {
      ...fileExchange(library, media, exchanged, { isHeld: true, suggestionsWanted, keep }),
      // Its pictures say what the copyright was when they were shown last.
      ...(file.kind === 'image' && { labels: askForLabels(library, companyId, [mediaId]) }),
    }
    await commitSteps(library, [media], () => library.table.transact(operations))
    return { fileNumber: lastNumber + 1, version: media.version + 1 }
  })
}
