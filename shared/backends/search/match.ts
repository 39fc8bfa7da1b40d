import { type Term, termTokens } from '../../library/vocabulary/term.ts'
import { substringExpression } from './searchable-text.ts'

/**
 * A term as full-text expressions. No input can break out of them: between the quotes are only tokens, which contain neither quotes nor
 * operators.
 */
export interface Match {
  /** The full-text table: `words` for words, phrases and their beginnings, `grams` for substrings. */
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
