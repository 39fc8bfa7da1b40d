import { type Term, termTokens } from './term.ts'

/** Substrings shorter than this are found by looking through all longer ones that begin with them. */
const SHORT = 3
/** A query may have so many short substrings, ... */
const MAX_SHORT_SUBSTRINGS = 2
/** ... and so many characters in all its substrings: a list of files is read for each. */
const MAX_SUBSTRING_CHARACTERS_IN_ALL = 512
/** All phrases of a query have so many words: each is followed through every place where it is in a text. */
const MAX_PHRASE_WORDS_IN_ALL = 64

/**
 * The reason why a query is too much work, as the end of a sentence that begins with the query. Everybody waits while one query is
 * answered; words and their beginnings are bounded by the number of terms, substrings and phrases take many times as long.
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
