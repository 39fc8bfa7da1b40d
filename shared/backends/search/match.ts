import { tokenize } from '../../library/vocabulary/folding.ts'
import type { Term } from './port.ts'
import { substringExpression } from './searchable-text.ts'

/** A term looks at this many tokens at most, and at this many characters of a substring; the rest of a longer one is not compared. */
export const MAX_TERM_TOKENS = 64
const MAX_SUBSTRING_CHARACTERS = 256

/**
 * A term as full-text expressions. They are safe whatever the user typed: between the quotes stand tokens only, which hold neither
 * quotes nor operators.
 */
export interface Match {
  /** The full-text table that it asks: `words` for words, phrases and their beginnings, `grams` for substrings. */
  table: 'words' | 'grams'
  /** Matches the files that have the term anywhere. */
  anywhere: string
  /** Matches those that have it in title or keywords. */
  heading: string
}

/** The expressions of a term; none for a term without letters, digits or symbols, which is ignored. */
export function matchOf(term: Pick<Term, 'words' | 'matching'>): Match | undefined {
  const tokens = termTokens(term)
  if (tokens.length === 0) return undefined
  if (term.matching === 'infix') {
    const anywhere = substringExpression(tokens)
    return { table: 'grams', anywhere, heading: `{label} : ${anywhere}` }
  }
  const anywhere = `"${tokens.join(' ')}"${term.matching === 'prefix' ? '*' : ''}`
  return { table: 'words', anywhere, heading: `{title keywords} : ${anywhere}` }
}

/** What a term looks for, folded as the index is. */
export function termTokens({ words, matching }: Pick<Term, 'words' | 'matching'>): string[] {
  const tokens = words.flatMap(tokenize).slice(0, MAX_TERM_TOKENS)
  if (matching !== 'infix') return tokens
  let left = MAX_SUBSTRING_CHARACTERS
  return tokens.filter((token) => {
    left -= token.length + 1
    return left >= 0
  })
}
