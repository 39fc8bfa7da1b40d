import { type KeywordSuggester, PictureRefused } from '../../backends/keywords/port.ts'
import type { Log } from '../../log/log.ts'
import type { MediaId } from '../../vocabulary/ids.ts'
import { wantsSuggestions } from '../accounts/companies.ts'
import type { Writing } from '../library.ts'
import { getMedia } from '../media/find.ts'
import { endSuggestions, isWaiting, suggestionSource, type Waiting } from '../media/suggestions.ts'
import { keywordsOf } from './keywords-of.ts'

export interface Suggesting extends Writing {
  keywords: KeywordSuggester
  log: Log
}

/**
 * Gets keyword suggestions for the picture of a waiting file. Idempotent; safe to run concurrently with itself and other changes, and to
 * crash. Sends no picture of a company that has opted out.
 * @throws SuggesterUnavailable, and errors of infrastructure: the job is retried
 */
export async function suggestKeywords(library: Suggesting, mediaId: MediaId): Promise<void> {
  const media = await getMedia(library, mediaId)
  if (!isWaiting(media)) return
  const isWanted = await wantsSuggestions(library, media.companyId)
  await endSuggestions(library, media, isWanted ? await suggestionsFor(library, media) : undefined)
}

/** @returns undefined if there is no suggester, or the file has stopped waiting */
async function suggestionsFor({ keywords, log, table }: Suggesting, media: Waiting): Promise<string[] | undefined> {
  const { mediaId } = media
  const key = suggestionSource(media)
  if (key === undefined) return undefined
  try {
    const suggestions = await keywords.suggest({ key })
    return suggestions && keywordsOf(suggestions)
  } catch (error) {
    if (error instanceof PictureRefused) {
      log.warn('no keywords were suggested for a picture: it was refused', { media: mediaId, error })
      return []
    }
    // The file may have been deleted meanwhile, with its picture.
    if (!isWaiting(await getMedia({ table }, mediaId))) return undefined
    throw error
  }
}
