import { versionsKept } from '../../shared/library/accounts/companies.ts'
import { retryOnConflict } from '../../shared/library/concurrency/retry.ts'
import type { Writing } from '../../shared/library/library.ts'
import { currentFile, fileExchange } from '../../shared/library/media/files.ts'
import { getMedia } from '../../shared/library/media/find.ts'
import { type AvailableMedia, type FileFacts, isAvailable } from '../../shared/library/media/media.ts'
import { newReplacementId } from '../../shared/library/media/replacing.ts'
import { keepStates } from '../../shared/library/media/states.ts'
import { toMediaId, toStoredId } from '../../shared/vocabulary/ids.ts'

/**
 * Makes another file the current one of a record, as the import of a replacement does. It has the facts of the one before, but for those given; its objects are
 * not made.
 * @param id of an imported file
 * @param how.isHeld whether a former number has these stored bytes
 * @returns the record before
 */
export async function exchangeFile(
  library: Writing,
  id: number,
  { filename, stored: given, ...facts }: Partial<FileFacts & Pick<AvailableMedia, 'filename' | 'stored'>> = {},
  { isHeld = false } = {},
): Promise<AvailableMedia> {
  return retryOnConflict(async () => {
    const media = await getMedia(library, toMediaId(id))
    if (!media || !isAvailable(media)) throw new Error(`${id} is not imported`)
    const { fileNumber, fileCreated, lastNumber, versionBytes, comment, pinned, ...current } = currentFile(media)
    const stored = given ?? toStoredId(await newReplacementId(library, media.mediaId))
    const next = { ...current, ...facts, filename: filename ?? media.filename, stored }
    await keepStates(library, [media])
    const keep = await versionsKept(library, media.companyId)
    await library.table.transact(fileExchange(library, media, next, { isHeld, suggestionsWanted: false, keep }))
    return media
  })
}
