import { type KeywordSuggester, PictureRefused } from '../../backends/keywords/port.ts'
import type { Log } from '../../log/log.ts'
import type { MediaId } from '../../vocabulary/ids.ts'
import { wantsSuggestions } from '../accounts/companies.ts'
import type { Writing } from '../library.ts'
import { getMedia } from '../media/find.ts'
import { endSuggestions, isWaiting, suggestionSource, type Waiting } from '../media/suggestions.ts'
import { keywordsOf } from './keywords-of.ts'

/** The resources of the job. */
export interface Suggesting extends Writing {
  keywords: KeywordSuggester
  log: Log
}

/**
 * Has keywords suggested for the picture of a file that waits for that. Any number of runs, in any order, at the same time or after a crash, end
 * in one change of the file, beside whatever else changes of it. The picture of a company that has not opted in any more goes nowhere.
 * @throws SuggesterUnavailable, and errors of infrastructure: the delivery comes back
 */
export async function suggestKeywords(library: Suggesting, mediaId: MediaId): Promise<void> {
  const media = await getMedia(library, mediaId)
  if (!isWaiting(media)) return
  const isWanted = await wantsSuggestions(library, media.companyId)
  await endSuggestions(library, mediaId, isWanted ? await suggestionsFor(library, media) : undefined)
}

/** @returns undefined where there is no suggester, or nobody waits any more */
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
    // A file that was deleted meanwhile has no picture.
    if (!isWaiting(await getMedia({ table }, mediaId))) return undefined
    throw error
  }
}
