import { metadataLimits } from '../../vocabulary/metadata-limits.ts'
import { MAX_SUGGESTIONS, MIN_CONFIDENCE, type Suggestion } from '../../vocabulary/suggestion.ts'
import { hasNoControls } from '../names.ts'

/**
 * The keywords that a file gets of what was suggested: those of enough confidence, the most certain first, each once whatever its case, and
 * only as many as a file gets. What could not be a keyword of a user's is left out.
 */
export function keywordsOf(suggestions: readonly Suggestion[]): string[] {
  const certain = suggestions.filter(({ confidence }) => confidence >= MIN_CONFIDENCE).sort((a, b) => b.confidence - a.confidence)
  const keywords = certain.map(({ keyword }) => keyword.trim().normalize('NFC')).filter(isKeyword)
  const distinct = Map.groupBy(keywords, (keyword) => keyword.toLowerCase())
  return [...distinct.values()].map(([first]) => first!).slice(0, MAX_SUGGESTIONS)
}

function isKeyword(text: string): boolean {
  return text !== '' && text.length <= metadataLimits.keyword && hasNoControls(text) && text.isWellFormed()
}
