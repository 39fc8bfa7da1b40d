import type { Operation, Operations } from '../../backends/table/port.ts'
import type { CompanyId, MediaId } from '../../vocabulary/ids.ts'
import { wantsSuggestions } from '../accounts/companies.ts'
import { retryOnConflict } from '../concurrency/retry.ts'
import { JobKind } from '../jobs/job.ts'
import type { Reading, Writing } from '../library.ts'
import { type MediaChange, mediaChange } from './changes.ts'
import { getMedia } from './find.ts'
import { type AvailableMedia, type FileFacts, isAvailable, type MediaRecord } from './media.ts'

/** Suggests keywords for a file's picture. */
export const suggestionJob = new JobKind<{ mediaId: MediaId }>('suggest-keywords')

/** The write that asks for a file's suggestions, in the transaction that makes the file wait for them. */
export const suggestionJobOf = (
  library: Pick<Writing, 'clock' | 'by'>,
  { companyId, mediaId }: Pick<MediaRecord, 'companyId' | 'mediaId'>,
): Operation => suggestionJob.ask(library, { companyId, subject: String(mediaId), input: { mediaId } })

/** Key in the `media` bucket of the picture for suggestions. Undefined where the file has none. */
export function suggestionSource({ renditions }: Pick<FileFacts, 'renditions'>): string | undefined {
  return renditions['1200px']?.key
}

/** Whether keywords are to be suggested for a file: it has a picture and no suggestions, and its company wants them. */
export async function lacksSuggestions(library: Reading, companyId: CompanyId, file: FileFacts): Promise<boolean> {
  return file.suggestedKeywords.length === 0 && suggestionSource(file) !== undefined && wantsSuggestions(library, companyId)
}

/** A file that waits for suggestions. */
export type Waiting = AvailableMedia & Required<Pick<MediaRecord, 'suggestionsWanted'>>

export function isWaiting(media: MediaRecord | undefined): media is Waiting {
  return media !== undefined && isAvailable(media) && media.suggestionsWanted !== undefined
}

/**
 * Asks for suggestions for a file with a picture, unless they were asked for before.
 * @returns whether it asked. @throws Conflict
 */
export async function askForSuggestions(library: Writing, mediaId: MediaId): Promise<boolean> {
  return change(library, mediaId, (media) => (wasAsked(media) ? undefined : { suggestionsWanted: true }))
}

/** Whether suggestions were already asked for, or are impossible. */
function wasAsked(media: MediaRecord): boolean {
  return !isAvailable(media) || suggestionSource(media) === undefined || media.suggestedAt !== undefined || isWaiting(media)
}

/**
 * Ends a file's wait for suggestions. Does nothing where it has other bytes now: those wait for suggestions of their own. Idempotent.
 * @param suggested undefined where the service suggested none, so that they may be asked for again
 * @throws Conflict
 */
export async function endSuggestions(
  library: Writing,
  { mediaId, stored }: Pick<MediaRecord, 'mediaId' | 'stored'>,
  suggested: string[] | undefined,
): Promise<void> {
  await change(library, mediaId, (media) => {
    if (!isWaiting(media) || media.stored !== stored) return undefined
    return suggested ? { suggested } : { suggestionsWanted: false }
  })
}

/** The writes that end a file's wait when its job is cancelled. Suggestions may be asked for again. */
export async function suggestionsCancelled(library: Writing, mediaId: MediaId): Promise<Operations> {
  const media = await getMedia(library, mediaId)
  return isWaiting(media) ? { media: mediaChange(library, media, { suggestionsWanted: false }).operation } : {}
}

async function change(library: Writing, mediaId: MediaId, changeOf: (media: MediaRecord) => MediaChange | undefined): Promise<boolean> {
  return retryOnConflict(async () => {
    const media = await getMedia(library, mediaId)
    const change = media && changeOf(media)
    if (!change) return false
    const isWanted = 'suggestionsWanted' in change && change.suggestionsWanted
    const job = isWanted && { job: suggestionJobOf(library, media) }
    await library.table.transact({ media: mediaChange(library, media, change).operation, ...job })
    return true
  })
}
