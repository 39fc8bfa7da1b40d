import type { SearchEngine, Suggestion } from '../../backends/search/port.ts'
import { toMediaId } from '../../vocabulary/ids.ts'
import { parseQuery } from '../../vocabulary/parse-query.ts'
import { tooMuchWork } from '../../vocabulary/query-work.ts'
import { tokensOfReadings } from '../../vocabulary/spelling.ts'
import { termReadings } from '../../vocabulary/term.ts'
import type { AuthorizedReading } from '../access/access.ts'
import { getMany } from '../media/find.ts'
import { type AvailableMedia, isAvailable } from '../media/media.ts'
import { type NamedFolder, namedFolders } from './named-folders.ts'
import { type SearchScope, searchScope } from './scope.ts'
import { searchCompany, suggestInCompany } from './search-company.ts'
import { queryIn } from './search-media.ts'

/** Most words of a text that are corrected one by one. */
const MOST_CORRECTED = 6

/** Suggestions while the user types. */
export interface Suggested {
  /** Keywords, as spelled in files, and words of titles, in lower case, that begin with the text. */
  words: string[]
  folders: NamedFolder[]
  /** The text with unknown words replaced by the nearest known ones. Null if the text finds something, or no word is near. */
  didYouMean: string | null
}

type Library = AuthorizedReading & { search: SearchEngine }

/**
 * Suggests words and folders that begin with a text, from all that the caller may READ in all their companies. Words come from the current
 * records of files, not from the index.
 * @param limit most words, and most folders
 * @throws NotReady
 */
export async function suggest(library: Library, text: string, limit: number): Promise<Suggested> {
  const scopes = await Promise.all(library.access.companyIds.map((companyId) => searchScope(library, companyId, { recursive: false })))
  const words = await wordsLike(library, scopes, { text, matching: 'beginning', limit })
  const folders = scopes.flatMap((scope) => namedFolders(scope, text, limit)).slice(0, limit)
  const didYouMean = words.length > 0 ? null : await corrected(library, scopes, text)
  return { words, folders, didYouMean }
}

/** Distinct keywords and words of titles that are like a text, from files in the scopes. */
async function wordsLike(
  library: Library,
  scopes: readonly SearchScope[],
  { text, matching, limit }: { text: string; matching: 'beginning' | 'near'; limit: number },
): Promise<string[]> {
  const phrases = termReadings({ words: [text], matching: 'prefix' }).map((tokens) => tokens.join(' '))
  if (phrases.length === 0) return []
  const found = new Map<string, string>()
  for (const scope of scopes) {
    // A word with an å is indexed as two phrases.
    const query = { phrases, matching, scope: scope.scope, limit: 2 * limit }
    for (const word of await wordsOf(library, await suggestInCompany(library, scope.companyId, query), scope)) {
      const key = word.normalize('NFC').toLowerCase()
      if (!found.has(key)) found.set(key, word)
    }
  }
  return [...found.values()].slice(0, limit)
}

/** The suggested words as the files spell them now. Leaves out files that have left the scope. */
async function wordsOf(library: Library, suggestions: readonly Suggestion[], scope: SearchScope): Promise<string[]> {
  const files = await getMany(
    library,
    suggestions.map(({ mediaId }) => toMediaId(mediaId)),
  )
  const known = new Map<number, AvailableMedia>()
  for (const media of files) if (isAvailable(media) && scope.contains(media.folders)) known.set(media.mediaId, media)
  return suggestions.flatMap(({ phrase, mediaId }) => {
    const media = known.get(mediaId)
    return (media && wordOf(media, phrase)) ?? []
  })
}

/** The keyword or the word of the title that folds to these tokens. */
function wordOf({ keywords, title }: AvailableMedia, phrase: string): string | undefined {
  const foldsToPhrase = (text: string) => tokensOfReadings(text).some((tokens) => tokens.join(' ') === phrase)
  const keyword = keywords.en?.find(foldsToPhrase)
  if (keyword !== undefined) return keyword.trim()
  const inTitle = title.en ?? ''
  const word = inTitle.split(/[^\p{L}\p{N}\p{M}]+/u).find(foldsToPhrase)
  if (word !== undefined) return word.toLowerCase()
  // Scripts without spaces, and symbols.
  return tokensOfReadings(inTitle).some((tokens) => tokens.includes(phrase)) ? phrase : undefined
}

async function corrected(library: Library, scopes: readonly SearchScope[], text: string): Promise<string | null> {
  if (tooMuchWork(parseQuery(text, 'default')) || (await isFound(library, scopes, text))) return null
  const nearest = async (part: string) => (await wordsLike(library, scopes, { text: part, matching: 'near', limit: 1 }))[0]
  const whole = await nearest(text)
  if (whole !== undefined) return whole
  const parts = text.split(/\s+/).filter(Boolean)
  if (parts.length < 2 || parts.length > MOST_CORRECTED) return null
  const all: string[] = []
  for (const part of parts) {
    const word = (await isFound(library, scopes, part)) ? part : await nearest(part)
    if (word === undefined) return null
    all.push(word)
  }
  const another = all.join(' ')
  return (await isFound(library, scopes, another)) ? another : null
}

/** Whether a search for a text finds a file. */
async function isFound(library: Library, scopes: readonly SearchScope[], text: string): Promise<boolean> {
  const terms = parseQuery(text, 'default')
  // A text without terms needs no correction.
  if (terms.length === 0) return true
  const criteria = { order: 'created', direction: 'desc', limit: 0, offset: 0 } as const
  for (const scope of scopes) {
    const { total } = await searchCompany(library, scope.companyId, queryIn(scope, { criteria, terms }))
    if (total > 0) return true
  }
  return false
}
