import { INVISIBLE, tokenize } from './folding.ts'
import type { Matching, Term } from './term.ts'

/** Characters of a query that are read, in UTF-16 units. */
const MAX_QUERY_LENGTH = 4_096
/** Terms of a query that are read. */
export const MAX_TERMS = 32

/** The default matching of a query's terms. */
export type QueryType = 'default' | 'strict_and_search' | 'wildcards'

/** A term as typed, before folders with matching tags are looked up. */
export type ParsedTerm = Omit<Term, 'folders'>

const MATCHING: Readonly<Record<QueryType, Matching>> = { default: 'prefix', strict_and_search: 'word', wildcards: 'infix' }

/**
 * Dashes that exclude, then a phrase in quotes (to the end of the query if they are not closed) or anything up to the next separator or
 * quote.
 */
const PIECE = /(-*)(?:["“”„]([^"“”„]*)["“”„]?|([^\s+"“”„]+))/gu

/** Characters that end a word within a piece: everything but letters, digits, marks, and symbols such as emoji. */
const BETWEEN_WORDS = /[^\p{L}\p{N}\p{M}\p{Extended_Pictographic}\p{RI}\p{Emoji_Modifier}]+/u

const LARGEST_ID = 2 ** 31 - 1

/**
 * Reads a query as people type it: terms separated by spaces or `+`; `-` before a term excludes it; quotes hold a phrase together; `*` at
 * the end of a term lets it match the beginning of words, `*` before or inside of it lets it match anywhere in words. Punctuation inside of
 * a term makes it a phrase (`foo-bar`, `IMG_1.jpg`), as in the indexed text. Terms without letter, digit or symbol are ignored. Never
 * throws.
 */
export function parseQuery(query: string, queryType: QueryType): ParsedTerm[] {
  const terms: ParsedTerm[] = []
  const visible = query.slice(0, MAX_QUERY_LENGTH).replace(INVISIBLE, '').normalize('NFC')
  for (const [, dashes = '', phrase, piece = ''] of visible.matchAll(PIECE)) {
    terms.push(...termsOf(phrase ?? piece, MATCHING[queryType], dashes !== ''))
    if (terms.length >= MAX_TERMS) break
  }
  return terms.slice(0, MAX_TERMS)
}

function termsOf(text: string, matching: Matching, excluded: boolean): ParsedTerm[] {
  const parts = text.split('*').map(wordsOf)
  const words = parts.flat()
  if (words.length === 0) return []
  const filled = parts.filter((part) => part.length > 0)
  const opensWithStar = parts.length > 1 && parts[0]?.length === 0
  if (filled.length > 1 && !excluded) return filled.map((part) => ({ words: part, matching: 'infix', excluded }))
  // Two excluded terms would exclude too much here. The words as a phrase are the nearest approximation.
  if (filled.length > 1 || opensWithStar) return [{ words, matching: 'infix', excluded }]
  if (parts.length > 1) return [{ words, matching: matching === 'infix' ? matching : 'prefix', excluded }]
  return [{ words, matching, excluded, ...idOf(text) }]
}

function wordsOf(text: string): string[] {
  return text.split(BETWEEN_WORDS).filter((word) => tokenize(word).length > 0)
}

/** Numbers may be ids of files. */
function idOf(text: string): { mediaId?: number } {
  const mediaId = /^\d{1,10}$/.test(text) ? Number(text) : 0
  return mediaId > 0 && mediaId <= LARGEST_ID ? { mediaId } : {}
}
