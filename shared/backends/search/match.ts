import type { MediaKind } from '../../library/vocabulary/media-kind.ts'
import { type Term, termTokens } from '../../library/vocabulary/term.ts'
import { type Expressions, LONGEST_START, listedCharacter, listedStart, listedWord, ofKind, phrase, substring } from './index-text.ts'

/** The full-text tables (index-text.ts). */
export type FullText = 'terms' | 'texts'

/**
 * A term as full-text expressions, of one or both tables (index-text.ts). No input can break out of them: between the quotes are only tokens,
 * which contain neither quotes nor operators.
 */
export interface Match {
  /** In `terms`: for a single word, beginning or character. */
  listed?: Expressions
  /** In `texts`: for all but a single character. */
  positioned?: Expressions
  /** Whether `texts` would read the postings of very many words for it. */
  isShort: boolean
  /** The table that finds it faster. */
  faster: FullText
}

/** The expressions of a term; none for a term without letters, digits or symbols, which is ignored. */
export function matchOf(term: Pick<Term, 'words' | 'matching'>): Match | undefined {
  const tokens = termTokens(term)
  const [token, ...others] = tokens
  if (token === undefined) return undefined
  const isSingle = others.length === 0
  const length = Array.from(token).length
  if (term.matching === 'infix') {
    if (isSingle && length === 1) return { listed: listedCharacter(token), isShort: true, faster: 'terms' }
    return { positioned: substring(tokens), isShort: false, faster: 'texts' }
  }
  const isBeginning = term.matching === 'prefix'
  const positioned = phrase(tokens, isBeginning)
  if (!isSingle) return { positioned, isShort: false, faster: 'texts' }
  if (!isBeginning) return { listed: listedWord(token), positioned, isShort: false, faster: 'terms' }
  const isShort = length <= LONGEST_START
  // FTS5 puts the files of several words together three times as fast where it has positions.
  return { listed: listedStart(token), positioned, isShort, faster: isShort ? 'terms' : 'texts' }
}

/** The match of all files of these kinds. */
export function matchOfKinds(kinds: readonly MediaKind[]): Match {
  const any = kinds.map(ofKind).join(' OR ')
  const expressions = { anywhere: any, heading: any }
  return { listed: expressions, positioned: expressions, isShort: false, faster: 'terms' }
}
