import type { MediaId } from '../../vocabulary/ids.ts'
import { jobDueAgain } from '../due.ts'
import type { Writing } from '../library.ts'
import { retryOnConflict } from '../retry.ts'
import { type MediaChange, mediaChange, noteSuggestionsDue } from './changes.ts'
import { getMedia } from './find.ts'
import { type AvailableMedia, type FileFacts, isAvailable, type MediaRecord } from './media.ts'

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
 * Asks for suggestions for a file that has a picture, unless they were asked for before. The committed change starts the job.
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

async function change(library: Writing, mediaId: MediaId, changeOf: (media: MediaRecord) => MediaChange | undefined): Promise<boolean> {
  return retryOnConflict(async () => {
    const media = await getMedia(library, mediaId)
    const change = media && changeOf(media)
    if (!change) return false
    await library.table.transact({ media: mediaChange(library, media, change).operation })
    return true
  })
}

/** Sets when the sweep looks again after a job that was lost, unless another run has done so since the file was read. */
export async function postponeSuggestions(library: Pick<Writing, 'table' | 'clock'>, media: Waiting): Promise<void> {
  await noteSuggestionsDue(library, media, jobDueAgain(media.mediaId, media.suggestionsWanted, library.clock.now()))
}
