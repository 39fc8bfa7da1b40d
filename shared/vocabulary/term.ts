import { decomposed, tokenize, tokensOf } from './folding.ts'
import { asOne, asTwo } from './spelling.ts'

/** How a term matches: at the start of words, whole words, or anywhere (title, keywords, filename; at the start of words elsewhere). */
export type Matching = 'prefix' | 'word' | 'infix'

/** One term of a query: words next to each other where there are several (a phrase). */
export interface Term {
  /** At least one; as the user typed them, NFC, without invisible characters. */
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
/** Longer terms are not looked for in another spelling. This bounds what the readings of a query cost. */
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
 * The tokens of each reading of a term (spelling.ts), at most three: as folded first, with letters as two, which finds texts without these
 * letters, and with letters as one, which finds those with them. What an earlier reading finds anyway is left out.
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

/** Whether a term finds all that a reading of it would find. (A substring of one character is not worth a reading.) */
function isFoundBy(text: string, reading: string, matching: Matching): boolean {
  if (matching === 'word') return reading === text
  if (matching === 'prefix') return reading.startsWith(text)
  return reading.includes(text) || reading.length === 1
}
