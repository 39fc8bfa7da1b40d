import { metadataLimits } from '../../vocabulary/metadata-limits.ts'
import { MAX_SUGGESTIONS, MIN_CONFIDENCE, type Suggestion } from '../../vocabulary/suggestion.ts'
import { hasNoControls } from '../names.ts'

/**
 * Selects a file's keywords from suggestions: those with enough confidence, most confident first, distinct regardless of case, at most
 * `MAX_SUGGESTIONS`. Leaves out what would be invalid as a user's keyword.
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
