import type { KeywordSuggester } from '../../../shared/backends/keywords/port.ts'
import { setSuggestions } from '../../../shared/library/accounts/companies.ts'
import { mediaKey, type StoredMedia } from '../../../shared/library/media/keys.ts'
import { askForSuggestions } from '../../../shared/library/media/suggestions.ts'
import { suggestKeywords } from '../../../shared/library/suggestions/suggest.ts'
import { jsonLog } from '../../../shared/log/json-log.ts'
import { type MediaId, toMediaId } from '../../../shared/vocabulary/ids.ts'
import { openTestCompany, openTestTable } from '../../support/library.ts'
import { putMedia } from '../../support/media.ts'

/** A file whose id is this has its picture at this key. */
export const pictureOf = (mediaId: number) => `101/${mediaId}/renditions/1200x800`

/** A library whose company has opted in to suggested keywords, and a suggester that a test leads. */
export async function setUp() {
  const library = openTestTable()
  const { table } = library
  const { companyId } = await openTestCompany(library)
  await setSuggestions(library, companyId, true)
  /** Keys of the pictures that the suggester saw. */
  const seen: string[] = []
  const suggester = {
    /** What it does next. */
    suggest: (async () => [{ keyword: 'Boat', confidence: 90 }]) as KeywordSuggester['suggest'],
  }
  const log: string[] = []
  const keywords: KeywordSuggester = {
    suggest(picture) {
      seen.push(picture.key)
      return suggester.suggest(picture)
    },
  }
  const suggesting = { ...library, keywords, log: jsonLog((line) => log.push(line)) }
  const put = (mediaId: number, given: Partial<Parameters<typeof putMedia>[1]> = {}) => {
    const rendition = { key: pictureOf(mediaId), mime: 'image/jpeg', width: 1200, height: 800 }
    return putMedia(table, { mediaId, companyId, renditions: { '1200px': rendition }, ...given })
  }
  return {
    ...{ library, suggesting, companyId, seen, suggester, log, put },
    /** A picture that waits for keywords. */
    async waiting(mediaId = 1): Promise<MediaId> {
      await put(mediaId)
      await askForSuggestions(library, toMediaId(mediaId))
      return toMediaId(mediaId)
    },
    read: (mediaId: number) => table.get<StoredMedia>(mediaKey(toMediaId(mediaId))),
    run: (mediaId: number) => suggestKeywords(suggesting, toMediaId(mediaId)),
  }
}
