import { tokenize } from './folding.ts'

/** How a term matches: at the start of words, whole words, or anywhere (title, keywords, filename; at the start of words elsewhere). */
export type Matching = 'prefix' | 'word' | 'infix'

/** One term of a query: words next to each other where there are several (a phrase). */
export interface Term {
  /** At least one; as the user typed them, NFC. */
  words: string[]
  matching: Matching
  excluded: boolean
  /** Files in these folders match the term as well (their folder has it as inherited tag). */
  folders?: readonly number[]
  /** This file matches the term as well (the term is its id). */
  mediaId?: number
}

/** A term looks at this many tokens at most, and at this many characters of a substring; the rest of a longer one is not compared. */
const MAX_TERM_TOKENS = 64
const MAX_SUBSTRING_CHARACTERS = 256

/** The tokens of a term, folded as the index is. */
export function termTokens({ words, matching }: Pick<Term, 'words' | 'matching'>): string[] {
  const tokens = words.flatMap(tokenize).slice(0, MAX_TERM_TOKENS)
  if (matching !== 'infix') return tokens
  let left = MAX_SUBSTRING_CHARACTERS
  return tokens.filter((token) => {
    left -= token.length + 1
    return left >= 0
  })
}
