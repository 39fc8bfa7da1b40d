import type { Operation, Operations } from '../../backends/table/port.ts'
import type { MediaId } from '../../vocabulary/ids.ts'
import { retryOnConflict } from '../concurrency/retry.ts'
import { JobKind } from '../jobs/job.ts'
import type { Writing } from '../library.ts'
import { type MediaChange, mediaChange } from './changes.ts'
import { getMedia } from './find.ts'
import { type AvailableMedia, type FileFacts, isAvailable, type MediaRecord } from './media.ts'

/** Has keywords suggested for the picture of a file that waits for that. */
export const suggestionJob = new JobKind<{ mediaId: MediaId }>('suggest-keywords')

/** The write that asks for the job of a file, in the transaction that makes the file wait. */
export const suggestionJobOf = (
  library: Pick<Writing, 'clock' | 'by'>,
  { companyId, mediaId }: Pick<MediaRecord, 'companyId' | 'mediaId'>,
): Operation => suggestionJob.ask(library, { companyId, subject: String(mediaId), input: { mediaId } })

/** The picture of a file for which keywords are suggested: its key in the `media` bucket. undefined where the file has none. */
export function suggestionSource({ renditions }: Pick<FileFacts, 'renditions'>): string | undefined {
  return renditions['1200px']?.key
}

/** A file for whose picture keywords are to be suggested. */
export type Waiting = AvailableMedia & Required<Pick<MediaRecord, 'suggestionsWanted'>>

export function isWaiting(media: MediaRecord | undefined): media is Waiting {
  return media !== undefined && isAvailable(media) && media.suggestionsWanted !== undefined
}

/**
 * Asks for suggestions for a file that has a picture, unless they were asked for before.
 * @returns whether it asked. @throws Conflict
 */
export async function askForSuggestions(library: Writing, mediaId: MediaId): Promise<boolean> {
  return change(library, mediaId, (media) => (wasAsked(media) ? undefined : { suggestionsWanted: true }))
}

/** Whether suggestions were asked for a file, or the file can have none. */
function wasAsked(media: MediaRecord): boolean {
  return !isAvailable(media) || suggestionSource(media) === undefined || media.suggestedAt !== undefined || isWaiting(media)
}

/**
 * Ends the waiting of a file for suggestions. Another run may have done so before: then nothing changes.
 * @param suggested undefined where nobody suggested any, so that they may be asked for again
 * @throws Conflict
 */
export async function endSuggestions(library: Writing, mediaId: MediaId, suggested: string[] | undefined): Promise<void> {
  await change(library, mediaId, (media) => (isWaiting(media) ? (suggested ? { suggested } : { suggestionsWanted: false }) : undefined))
}

/** The writes by which a file waits no more whose job is cancelled. Suggestions may be asked for again. */
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
