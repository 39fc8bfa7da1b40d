import { decomposed, tokenize, tokensOf } from './folding.ts'
import { asOne, asTwo } from './spelling.ts'

/** How a term matches: at the start of words, whole words, or anywhere (title, keywords, filename; at the start of words elsewhere). */
export type Matching = 'prefix' | 'word' | 'infix'

/** One term of a query: words next to each other where there are several (a phrase). */
export interface Term {
  /** At least one, as typed, in NFC, without invisible characters. */
  words: string[]
  matching: Matching
  excluded: boolean
  /** Files in these folders match the term too: the folder has a matching tag, its own or inherited. */
  folders?: readonly number[]
  /** This file matches the term too: the term is its id. */
  mediaId?: number
}

/** Most tokens of a term, and most characters of a substring. The rest is not compared. */
const MAX_TERM_TOKENS = 64
const MAX_SUBSTRING_CHARACTERS = 256
/** Longer terms have no other readings. Bounds the cost of a query's readings. */
const MAX_RESPELLED_CHARACTERS = 64

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

/**
 * The tokens of each reading of a term (spelling.ts), at most three: first as folded, then with letters as two, which finds texts without
 * these letters, then with letters as one, which finds texts with them. Leaves out readings that find nothing more than the first.
 */
export function termReadings(term: Pick<Term, 'words' | 'matching'>): string[][] {
  const tokens = termTokens(term)
  const text = tokens.join(' ')
  if (text === '') return []
  if (text.length > MAX_RESPELLED_CHARACTERS) return [tokens]
  const respelled = (respell: (letters: string) => string) => term.words.flatMap((word) => tokensOf(respell(decomposed(word))))
  const [two, one] = [respelled(asTwo), respelled(asOne)]
  const hasLetters = two.join(' ') !== text
  const hasOneLetter = hasLetters && one.join('').match(/[åäöü]/g)?.length === 1
  const others = [...(hasLetters ? [two] : []), ...(hasOneLetter ? [] : [one])].filter(
    (each) => !isFoundBy(text, each.join(' '), term.matching),
  )
  return [tokens, ...others]
}

/** Whether a term finds all that a reading of it would find. A substring of one character is not worth a reading. */
function isFoundBy(text: string, reading: string, matching: Matching): boolean {
  if (matching === 'word') return reading === text
  if (matching === 'prefix') return reading.startsWith(text)
  return reading.includes(text) || reading.length === 1
}
