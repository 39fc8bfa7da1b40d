import { type Term, termTokens } from './term.ts'

/** Shorter substrings are slow: all indexed trigrams that begin with them are read. */
const SHORT = 3
/** Most short substrings of a query. */
const MAX_SHORT_SUBSTRINGS = 2
/** Most characters in all substrings of a query together: each costs the reading of a list of files. */
const MAX_SUBSTRING_CHARACTERS_IN_ALL = 512
/** Most words in all phrases of a query together: each costs the reading of all its positions in texts. */
const MAX_PHRASE_WORDS_IN_ALL = 64

/**
 * Explains why a query is too much work, as the end of a sentence that begins with the query. Others wait while one query runs. The number
 * of terms bounds words and beginnings; substrings and phrases take many times as long.
 */
export function tooMuchWork(terms: readonly Pick<Term, 'words' | 'matching'>[]): string | undefined {
  const substrings = terms.filter(({ matching }) => matching === 'infix').map((term) => termTokens(term).join(' '))
  const lengths = [...new Set(substrings)].map((substring) => Array.from(substring).length)
  if (lengths.filter((length) => length < SHORT).length > MAX_SHORT_SUBSTRINGS) {
    return `must not look for more than ${MAX_SHORT_SUBSTRINGS} parts of words that are shorter than ${SHORT} characters`
  }
  if (lengths.reduce((sum, length) => sum + length, 0) > MAX_SUBSTRING_CHARACTERS_IN_ALL) {
    return `must not look for parts of words of more than ${MAX_SUBSTRING_CHARACTERS_IN_ALL} characters in all`
  }
  const phrases = terms.filter(({ matching }) => matching !== 'infix').map((term) => termTokens(term).join(' '))
  const words = [...new Set(phrases)].map((phrase) => phrase.split(' ').length).filter((count) => count > 1)
  if (words.reduce((sum, count) => sum + count, 0) > MAX_PHRASE_WORDS_IN_ALL) {
    return `must not have phrases of more than ${MAX_PHRASE_WORDS_IN_ALL} words in all`
  }
  return undefined
}
